import type { LessonProgress } from "#contract/progress.ts";
import { publish } from "#test/drafts.ts";
import { expect, signInAs, testAlone } from "../academy.ts";
import { playLesson } from "../video.ts";

testAlone(
  "a module's introduction plays before its first lesson, counts as no progress, and stays skipped",
  async ({ page, ownAcademy: academy }) => {
    const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
    await signInAs(page, administrator, "/admin/content?edit=module.module-1");
    const field = page.getByLabel("Introduction", { exact: true });
    await field.fill("lesson-1-2");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText(/^We can’t play this/)).toBeVisible();
    await expect(field).toBeFocused();
    await field.fill("sample:lesson-1-2");
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByRole("link", { name: "Review drafts" })).toBeVisible();
    await publish(administrator);

    await signInAs(page, await academy.buyer("basic"), "/dashboard");
    const intro = page.getByRole("region", { name: "Introduction: Amazon FBA Fundamentals" });
    const lesson = page.getByRole("region", { name: "Lesson: The Gap Between Two Prices" });
    await playLesson(page);
    await expect(lesson).toHaveCount(0);
    await expect(intro.locator("video")).toHaveJSProperty("paused", false);
    const toTheEnd = () =>
      intro.locator("video").evaluate((video: HTMLVideoElement) => {
        video.currentTime = video.duration - 0.2;
      });
    await toTheEnd();
    await expect(lesson.locator("video")).toHaveJSProperty("paused", false);
    await expect(page.locator(":focus")).toHaveCount(1);
    await lesson.locator("video").evaluate((video: HTMLVideoElement) => video.pause());
    await expect
      .poll(async () => {
        const list = await page.evaluate(() => fetch("/api/user/progress").then((response) => response.json()));
        return (list as LessonProgress[]).map(({ lessonId }) => lessonId);
      })
      .toEqual(["lesson-1-1"]);

    await page.goto("/course-access?lesson=lesson-1-1");
    await playLesson(page);
    await expect(lesson).toBeVisible();
    await expect(intro).toHaveCount(0);
    await page.getByRole("button", { name: "Watch introduction" }).press("Enter");
    await expect(intro.locator("video")).toHaveJSProperty("paused", false);
    await page.getByRole("button", { name: "Skip introduction" }).press("Enter");
    await expect(lesson).toBeVisible();
    await page.goto("/course-access?lesson=lesson-1-2");
    await playLesson(page);
    await expect(page.getByRole("region", { name: "Lesson: Opening Your Seller Account" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Watch introduction" })).toHaveCount(0);

    // A skipped introduction stays skipped in this browser.
    await page.evaluate(() => localStorage.clear());
    await signInAs(page, await academy.buyer("basic"), "/dashboard");
    await playLesson(page);
    await page.getByRole("button", { name: "Skip introduction" }).click();
    await expect(lesson).toBeVisible();
    await page.reload();
    await playLesson(page);
    await expect(lesson).toBeVisible();
    await expect(page.getByRole("button", { name: "Watch introduction" })).toBeVisible();
  },
);
