import type { Page } from "@playwright/test";
import { showFilm } from "#test/studio/show-film.ts";
import { drawn, expect, signInAs, testAlone } from "../academy.ts";
import { playLesson, secondOf } from "../video.ts";

/** Plays from a second that is not loaded yet. */
async function playAt(page: Page, second: number): Promise<void> {
  const video = page.locator("video");
  await video.evaluate((element: HTMLVideoElement, at) => {
    element.muted = true;
    element.currentTime = at;
    return element.play();
  }, second);
  await expect.poll(secondOf(video)).toBeGreaterThan(second + 0.3);
  await video.evaluate((element: HTMLVideoElement) => element.pause());
}

testAlone(
  "an uploaded video plays on with a new address after each has expired [Z68]",
  async ({ page, ownAcademy: academy }) => {
    testAlone.slow();
    await showFilm(academy, "lesson-1-2");
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/media/")) statuses.push(response.status());
    });
    await page.clock.install();
    await signInAs(page, "basic@academy.test", "/dashboard?lesson=lesson-1-2");
    const media = await playLesson(page);
    await playAt(page, 1);
    await media.evaluate((element) => element.setAttribute("data-first", ""));

    // The player has asked for another address in time, and the same element goes on.
    await academy.advance("20m");
    const renewed = page.waitForResponse(/\/lesson-1-2\/playback/);
    await page.clock.fastForward("10:00");
    // Where the player was drawn again meanwhile, it asks half a minute later.
    await drawn(page);
    await page.clock.fastForward(30_000);
    await renewed;
    await academy.advance("15m");
    await playAt(page, 50);
    expect(new Set(statuses)).toEqual(new Set([200, 206]));
    await expect(media).toHaveAttribute("data-first");

    // It slept too long: another player begins at the same second.
    await academy.advance("31m");
    await media.evaluate((element: HTMLVideoElement) => (element.currentTime = 40));
    await expect.poll(() => statuses.includes(403)).toBe(true);
    await expect(async () => {
      // The player asks for the refused part several times, at growing intervals.
      await page.clock.fastForward(5000);
      await expect(media).not.toHaveAttribute("data-first", { timeout: 500 });
    }).toPass();
    await playAt(page, 40);
  },
);
