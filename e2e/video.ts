import type { Locator, Page } from "@playwright/test";
import { expect } from "./academy.ts";

/** The image in a lesson's place until it is pressed. */
export function coverOf(page: Page) {
  return page.getByRole("button", { name: /^(Play|Resume at [\d:]+): / });
}

/** Plays the lesson on the page, whose player loads with the press. */
export async function playLesson(page: Page) {
  await coverOf(page).click();
  const video = page.locator("video");
  await expect(video).toBeVisible();
  return video;
}

/** Reads the second that a video is at. */
export function secondOf(video: Locator): () => Promise<number> {
  return () => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
}
