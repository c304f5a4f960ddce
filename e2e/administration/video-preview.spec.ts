import type { Page } from "@playwright/test";
import type { LessonProgress } from "#contract/progress.ts";
import { expect, expectAccessible, signInAs, test } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { standInForVimeo } from "../learning/video-services.ts";
import { secondOf } from "../video.ts";
import { goToArea } from "./page.ts";

const previewButton = (page: Page) => page.getByRole("button", { name: "Preview", exact: true });
const player = (page: Page) => page.getByRole("region", { name: "Preview", exact: true });

const watchedLessons = (page: Page) =>
  page.evaluate(() => fetch("/api/user/progress").then((response) => response.json() as Promise<LessonProgress[]>));

test("an unsaved video plays in its editor, is no progress, and one that fails is explained", async ({ page }) => {
  const complaints = watchConsole(page);
  const notes: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && notes.push(new URL(request.url()).pathname));
  await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-4");
  const before = await watchedLessons(page);
  const video = page.getByLabel("Video", { exact: true });
  await video.fill("sample:lesson-1-2");
  await expect(player(page)).toHaveCount(0);
  expect(
    await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)),
  ).not.toContainEqual(expect.stringMatching(/preview-player|media-chrome/));
  await previewButton(page).press("Enter");
  const element = player(page).locator("video");
  await expect(element).toHaveJSProperty("paused", false);
  await expect.poll(secondOf(element)).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: "Close preview" })).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await player(page).evaluate((region) => region.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("k");
  await expect(element).toHaveJSProperty("paused", true);
  await expect(element.locator("track")).toHaveAttribute("src", "/api/admin/samples/lesson-1-2/captions");
  await expectAccessible(page);

  await video.fill("sample:lesson-1-1");
  await expect(player(page)).toHaveCount(0);
  await previewButton(page).click();
  await expect(element).toHaveAttribute("src", "/api/admin/samples/lesson-1-1/video");
  await page.getByRole("button", { name: "Close preview" }).click();
  await expect(player(page)).toHaveCount(0);
  await expect(previewButton(page)).toBeFocused();

  // A link cannot play a video that the editor does not contain.
  await page.goto("/admin/content?edit=lesson.lesson-1-4&preview=sample:lesson-1-2");
  await expect(previewButton(page)).toHaveAttribute("aria-expanded", "false");
  await expect(player(page)).toHaveCount(0);

  // A module's introduction, on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin/content?edit=module.module-1");
  await expect(page.getByText("There is no video to play yet.")).toBeVisible();
  await expect(previewButton(page)).toBeDisabled();
  await page.getByLabel("Introduction", { exact: true }).fill("sample:lesson-1-2");
  await previewButton(page).click();
  await expect(player(page).locator("video")).toHaveJSProperty("paused", false);
  await expect(player(page)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  expect(await watchedLessons(page)).toEqual(before);
  // The editor renders the lesson's text by the server.
  expect(notes.filter((path) => !path.endsWith("/preview-text"))).toEqual([]);
  complaints.expectEmpty();

  // A service's video plays in a document with its own policy.
  await page.setViewportSize({ width: 1280, height: 720 });
  await standInForVimeo(page);
  await page.goto("/admin/pages");
  await goToArea(page, "Course");
  await page.getByRole("link", { name: "New lesson" }).first().click();
  await page.getByLabel("Title").fill("A lesson that was not saved");
  await video.fill("vimeo:76979871/8272103f6e");
  await previewButton(page).click();
  const vimeo = player(page).locator("vimeo-video");
  await expect(player(page).locator("iframe")).toHaveAttribute("src", /^https:\/\/player\.vimeo\.com\/video\/76979871/);
  await expect(page.getByLabel("Title")).toHaveValue("A lesson that was not saved");
  await expect(player(page)).toBeInViewport();
  await player(page).getByRole("button", { name: "play" }).first().click();
  await expect.poll(secondOf(vimeo)).toBeGreaterThan(0);
  await page.reload();
  await expect(player(page).locator("iframe")).toHaveCount(1);
  complaints.expectEmpty();

  await page.clock.install();
  await page.unroute("https://player.vimeo.com/**");
  await page.route("https://player.vimeo.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Nothing</title>" }),
  );
  await page.goto("/admin/content?edit=lesson.lesson-1-4");
  await video.fill("youtube:short");
  await previewButton(page).click();
  await expect(page.getByText("This video can't be played.")).toBeVisible();
  await video.fill("sample:never-made");
  await previewButton(page).click();
  await expect(page.getByText("We couldn't play the video.")).toBeVisible();
  await video.fill("vimeo:76979871");
  await previewButton(page).click();
  await expect(player(page).locator("iframe")).toHaveCount(1);
  const silence = page.getByText("The video service hasn’t answered yet.");
  await expect(silence).toHaveCount(0);
  await page.clock.fastForward(20_000);
  await expect(silence).toBeVisible();
});
