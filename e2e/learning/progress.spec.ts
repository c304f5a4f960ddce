import type { Page } from "@playwright/test";
import { getCatalogue } from "#contract/catalogue.ts";
import { type LessonProgress, saveProgress } from "#contract/progress.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, test } from "../academy.ts";
import { playLesson, secondOf } from "../video.ts";

const lessonId = "lesson-3-3";

/** The server's record, fetched past the routes that the test intercepts. */
async function recordOf(page: Page): Promise<LessonProgress | undefined> {
  const response = await page.request.get("/api/user/progress");
  return ((await response.json()) as LessonProgress[]).find((record) => record.lessonId === lessonId);
}

/** Plays at double speed, from `from` or from where it is. */
async function play(page: Page, from?: number): Promise<void> {
  await page.locator("video").evaluate((video: HTMLVideoElement, from) => {
    video.muted = true;
    video.playbackRate = 2;
    if (from !== undefined) video.currentTime = from;
    return video.play();
  }, from);
}

/** Without a connection for a moment, after which the page sends again. It misses a shorter one. */
async function reconnect(page: Page): Promise<void> {
  const offline = page.getByRole("status").filter({ hasText: "You're offline." });
  await page.context().setOffline(true);
  await expect(offline).toBeVisible();
  await page.context().setOffline(false);
  await expect(offline).toHaveCount(0);
}

test("a lesson watched through failures, a reload and without a connection is completed by watching", async ({
  page,
  context,
  academy,
}) => {
  const student = await academy.buyer("basic");
  await signInAs(page, student, `/dashboard?lesson=${lessonId}`);
  const second = secondOf(await playLesson(page));

  // Opening it starts the server's clock. Then the server fails, and the notes wait in the browser.
  await play(page);
  await expect.poll(async () => (await recordOf(page))?.watchTime).toBe(0);
  const answerNotes = (tab: Page, status: number, body = "{}") =>
    tab.route("**/api/user/progress", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status, body }) : route.continue(),
    );
  await answerNotes(page, 503);
  await expect.poll(second).toBeGreaterThan(2);
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.pause());
  const unsaved = page.getByText("Not saved yet. We’ll keep trying.");
  await expect(unsaved).toBeVisible();
  const before = await second();
  await page.unroute("**/api/user/progress");
  await page.reload();
  await expect.poll(async () => (await recordOf(page))?.watchTime ?? 0).toBeGreaterThan(before - 1);
  await expect.poll(async () => (await recordOf(page))?.position).toBeCloseTo(before, 1);

  // Resumes at its position, and plays to the end while nothing can be saved. Another device has watched most of it.
  await academy.pool.query("update course_progress set watched = '{[0,3650)}', watch_time = 36.5 where user_id = $1", [
    await student.id(),
  ]);
  await playLesson(page);
  await expect.poll(second).toBeGreaterThan(before - 1);
  await page.route("**/api/user/progress", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await play(page, 36.5);
  await expect(page.locator("video")).toHaveJSProperty("ended", true);
  await expect(unsaved).toBeVisible();
  await page.unroute("**/api/user/progress");
  await reconnect(page);
  await expect.poll(async () => (await recordOf(page))?.isCompleted).toBe(true);
  expect((await recordOf(page))?.coverage).toBeGreaterThan(0.9);
  await expect(unsaved).toBeHidden();

  // A mark is kept in the same way, and stays so. A second page stands for a reload, on which the first would send it.
  await answerNotes(page, 503);
  await page.getByRole("button", { name: "Mark as not completed" }).click();
  await expect(unsaved).toBeVisible();
  await expect(page.getByRole("button", { name: "Mark as Completed" })).toBeVisible();
  const later = await context.newPage();
  await answerNotes(later, 503);
  await later.goto(`/dashboard?lesson=${lessonId}`);
  const mark = later.getByRole("button", { name: "Mark as Completed" });
  await expect(mark).toBeVisible();
  await expect(later.getByText("Not saved yet. We’ll keep trying.")).toBeVisible();
  expect((await recordOf(page))?.isCompleted).toBe(true);
  await later.unroute("**/api/user/progress");
  await reconnect(later);
  await expect.poll(async () => (await recordOf(page))?.isCompleted).toBe(false);

  // Of a mark that the server refuses, the page shows the reason and takes it back.
  const message = "Your plan doesn't include this lesson.";
  await answerNotes(later, 403, JSON.stringify({ code: "tier-required", message }));
  await mark.click();
  await expect(later.getByText(message).first()).toBeVisible();
  await expect(mark).toBeVisible();
});

test("the last lesson completed shows what comes next, up to a certificate that anybody can verify", async ({
  page,
  academy,
}) => {
  const student = await academy.buyer("basic");
  const lessons = (await student.call(getCatalogue)).body.flatMap((module) => module.lessons);
  const others = lessons.filter(({ id, isUnlocked, comingSoon }) => isUnlocked && !comingSoon && id !== lessonId);
  for (const { id } of others) {
    await student.call(saveProgress, { params: { lessonId: id }, body: { isCompleted: true } });
  }
  await page.setViewportSize({ width: 320, height: 700 });
  await signInAs(page, student, `/dashboard?lesson=${lessonId}`);
  const finish = page.getByRole("region", { name: "You’ve finished every lesson in your plan" });
  const mark = page.getByRole("button", { name: "Mark as Completed" });
  await expect(mark).toBeVisible();
  await expect(finish).toHaveCount(0);
  await mark.press("Enter");
  await expect(page.getByText("You’ve completed every lesson", { exact: true })).toBeVisible();
  await expect(finish).toContainText(`${others.length + 1} lessons completed`);
  await expect(finish.getByRole("link", { name: "Go to coaching" })).toBeVisible();
  await expect(finish.getByText(/^Module 4: /)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await finish.getByRole("link", { name: "Go to certificate" }).click();
  const part = page.getByRole("region", { name: "Certificate" });
  await expect(part.getByRole("listitem")).toHaveCount(others.length + 1);
  await expect(part.getByText("Watch it").first()).toBeVisible();
  // Watching all of it takes as long as the lessons are.
  await academy.pool.query("update course_progress set completed_by = 'coverage' where user_id = $1", [
    await student.id(),
  ]);
  await page.reload();
  await part.getByLabel("Your name on the certificate").fill("Ada 🧁");
  await part.getByRole("button", { name: "Issue certificate" }).click();
  await expect(part.getByText("Symbols and emoji can’t be printed")).toBeVisible();
  await expectAccessible(page);
  await part.getByLabel("Your name on the certificate").fill("Ada Lovelace");
  await part.getByRole("button", { name: "Issue certificate" }).press("Enter");
  await expect(part.getByText("Issued to Ada Lovelace")).toBeVisible();
  await expect(part.getByRole("link", { name: "Download PDF" })).toBeFocused();
  const correct = part.getByRole("button", { name: "Correct name" });
  await correct.press("Enter");
  const field = part.getByLabel("Your name on the certificate");
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/^You can correct it twice\. .* lists the earlier name too\.$/);
  await field.fill("Ada King");
  await field.press("Enter");
  await expect(part.getByText("Issued to Ada King")).toBeVisible();
  await expect(correct).toBeFocused();
  await part.getByRole("link", { name: "See its page" }).click();
  await expect(page.getByRole("heading", { name: "Valid certificate" })).toBeVisible();
  await expect(page.getByText("Ada Lovelace", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessibleInBothSchemes(page);
});
