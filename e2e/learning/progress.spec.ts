import type { Page } from "@playwright/test";
import { getCatalogue } from "#contract/catalogue.ts";
import { type LessonProgress, saveProgress } from "#contract/progress.ts";
import { become, expect, expectAccessibleInBothSchemes, playLesson, test } from "../academy.ts";

const lessonId = "lesson-3-3";

/** The server's record, fetched past the routes that the test intercepts. */
async function recordOf(page: Page): Promise<LessonProgress | undefined> {
  const response = await page.request.get("/api/user/progress");
  return ((await response.json()) as LessonProgress[]).find((record) => record.lessonId === lessonId);
}

function currentTime(page: Page): Promise<number> {
  return page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
}

async function play(page: Page, speed: number): Promise<void> {
  await page.locator("video").evaluate((video: HTMLVideoElement, speed) => {
    video.muted = true;
    video.playbackRate = speed;
    return video.play();
  }, speed);
}

test("a lesson watched through failures, a reload and without a connection is completed by watching", async ({
  page,
  context,
  academy,
}) => {
  await become(context, await academy.buyer("basic"));
  await page.goto(`/dashboard?lesson=${lessonId}`);
  await playLesson(page);

  // Opening it starts the server's clock. Then the server fails, and the notes wait in the browser.
  await play(page, 2);
  await expect.poll(async () => (await recordOf(page))?.watchTime).toBe(0);
  await page.route("**/api/user/progress", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
  );
  await expect.poll(() => currentTime(page)).toBeGreaterThan(5);
  await page.locator("video").evaluate((video: HTMLVideoElement) => video.pause());
  const unsaved = page.getByText("Not saved yet. We'll keep trying.");
  await expect(unsaved).toBeVisible();
  const before = await currentTime(page);
  await page.unroute("**/api/user/progress");
  await page.reload();
  await expect.poll(async () => (await recordOf(page))?.watchTime ?? 0).toBeGreaterThan(before - 1);
  await expect.poll(async () => (await recordOf(page))?.position).toBeCloseTo(before, 1);

  // Resumes at its position, and plays to the end while nothing can be saved.
  await playLesson(page);
  await expect.poll(() => currentTime(page)).toBeGreaterThan(before - 1);
  await page.route("**/api/user/progress", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await play(page, 2);
  const hasEnded = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.ended);
  await expect.poll(hasEnded, { timeout: 240_000 }).toBe(true);
  await expect(unsaved).toBeVisible();
  await page.unroute("**/api/user/progress");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect.poll(async () => (await recordOf(page))?.isCompleted).toBe(true);
  const record = await recordOf(page);
  expect(record?.coverage).toBeGreaterThan(0.9);
  await expect(unsaved).toBeHidden();

  // A mark is kept in the same way, and stays so. A second page stands for a reload, on which the first would send it.
  const block = (tab: Page) =>
    tab.route("**/api/user/progress", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
  await block(page);
  await page.getByRole("button", { name: "Mark as not completed" }).click();
  await expect(unsaved).toBeVisible();
  const mark = page.getByRole("button", { name: "Mark as Completed" });
  await expect(mark).toBeVisible();
  const later = await context.newPage();
  await block(later);
  await later.goto(`/dashboard?lesson=${lessonId}`);
  await expect(later.getByRole("button", { name: "Mark as Completed" })).toBeVisible();
  expect((await recordOf(page))?.isCompleted).toBe(true);
  await later.unroute("**/api/user/progress");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect.poll(async () => (await recordOf(page))?.isCompleted).toBe(false);
  await page.unroute("**/api/user/progress");
  await page.reload();
  await expect(mark).toBeVisible();

  // Of a mark that the server refuses, the page shows the reason and takes it back.
  const body = JSON.stringify({ code: "tier-required", message: "Your plan doesn't include this lesson." });
  await page.route("**/api/user/progress", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 403, body }) : route.continue(),
  );
  await mark.click();
  await expect(page.getByText("Your plan doesn't include this lesson.").first()).toBeVisible();
  await expect(mark).toBeVisible();
});

test("the last lesson completed shows what comes next, up to a certificate that anybody can verify", async ({
  page,
  context,
  academy,
}) => {
  const student = await academy.buyer("basic");
  const lessons = (await student.call(getCatalogue)).body.flatMap((module) => module.lessons);
  const others = lessons.filter(({ id, isUnlocked, comingSoon }) => isUnlocked && !comingSoon && id !== lessonId);
  for (const { id } of others) {
    await student.call(saveProgress, { params: { lessonId: id }, body: { isCompleted: true } });
  }
  await become(context, student);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/dashboard?lesson=${lessonId}`);
  const finish = page.getByRole("region", { name: "You've finished every lesson in your plan" });
  const mark = page.getByRole("button", { name: "Mark as Completed" });
  await expect(mark).toBeVisible();
  await expect(finish).toHaveCount(0);
  await mark.press("Enter");
  await expect(page.getByText("You've completed every lesson", { exact: true })).toBeVisible();
  await expect(finish).toContainText(`${others.length + 1} lessons completed`);
  await expect(finish.getByRole("link", { name: "Go to coaching" })).toBeVisible();
  await expect(finish.getByText(/^Module 4: /)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessibleInBothSchemes(page);

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
  await part.getByLabel("Your name on the certificate").fill("Ada Lovelace");
  await expectAccessibleInBothSchemes(page);
  await part.getByRole("button", { name: "Issue certificate" }).press("Enter");
  await expect(part.getByText("Issued to Ada Lovelace")).toBeVisible();
  await expect(part.getByRole("link", { name: "Download PDF" })).toBeFocused();
  await part.getByRole("link", { name: "See its page" }).click();
  await expect(page.getByRole("heading", { name: "Valid certificate" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessibleInBothSchemes(page);
});
