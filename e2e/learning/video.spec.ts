import { generateKeyPairSync } from "node:crypto";
import type { Page } from "@playwright/test";
import type { LessonProgress } from "#contract/progress.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { become, expect, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { coverOf, secondOf } from "../video.ts";
import { standInForBunny, standInForPlaylists, standInForVimeo, standInForYouTube } from "./video-services.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

/** An academy whose lessons are hosted by video services. */
const test = testAlone.extend({
  environment: {
    BUNNY_LIBRARY_ID: "759",
    BUNNY_SECURITY_KEY: "bunny-key-7",
    MUX_SIGNING_KEY_ID: "key-1",
    MUX_SIGNING_PRIVATE_KEY: privateKey,
  },
});

/** Changes a lesson's video, and waits until the pages' policy allows it. */
async function setVideo(academy: RunningAcademy, lessonId: string, videoId: string): Promise<void> {
  await academy.pool.query("update lessons set video_id = $2 where id = $1", [lessonId, videoId]);
  await waitForPages();
}

function positionOf(page: Page, lessonId: string) {
  return async () => {
    const list = await page.evaluate(() =>
      fetch("/api/user/progress").then((response) => response.json() as Promise<LessonProgress[]>),
    );
    return list.find((one) => one.lessonId === lessonId)?.position ?? 0;
  };
}

/** Plays the video. Before that it is an image, and only the academy has received requests. */
async function press(page: Page): Promise<void> {
  const play = coverOf(page);
  await expect(play).toBeVisible();
  // A key press is lost while the app replaces the focused cover of the first HTML.
  await expect(page.locator("#scripts-missing")).toHaveCount(0);
  const asked = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin),
  );
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).origin]));
  await expect(page.locator("iframe, video")).toHaveCount(0);
  await play.press("Enter");
}

/** A lesson that the student left at its twentieth second, with which the dashboard opens. */
const halfWay = "lesson-1-4";

test("lessons on YouTube, Vimeo, Bunny and Mux play, and others cannot send a player's events [H09]", async ({
  page,
  ownAcademy: academy,
}) => {
  await become(page.context(), await academy.visitor().signInAsDemo("basic@academy.test"));
  const complaints = watchConsole(page);
  for (const [videoId, element, standIn] of [
    ["youtube:dQw4w9WgXcQ", "youtube-video", standInForYouTube],
    ["vimeo:76979871/8272103f6e", "vimeo-video", standInForVimeo],
  ] as const) {
    await standIn(page);
    await setVideo(academy, halfWay, videoId);
    // This document's policy allows no external videos.
    await page.goto("/profile");
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    await press(page);
    const player = page.getByRole("region", { name: /^Lesson:/ });
    await expect(player.locator("iframe")).toHaveAttribute("title", /^Lesson:/);
    const second = secondOf(player.locator(element));
    await expect.poll(second).toBeGreaterThanOrEqual(20);
    const begun = await second();
    await player.getByRole("button", { name: "1x speed" }).focus();
    await expect.poll(second).toBeGreaterThan(begun + 0.5);
    await page.keyboard.press("k");
    await expect.poll(positionOf(page, halfWay)).toBeGreaterThan(begun);
    await expect(page).toHaveURL(/lesson=lesson-1-4$/);
  }

  // In a signed frame of its own.
  await standInForBunny(page);
  await setVideo(academy, "lesson-2-2", "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe");
  await page.goto("/dashboard?lesson=lesson-2-2&at=9");
  await press(page);
  const frame = page.getByTitle(/^Lesson:/);
  await expect(frame).toHaveAttribute(
    "src",
    /\/embed\/759\/eb1c4f77-[^?]+\?token=[0-9a-f]{64}&expires=\d+&autoplay=false/,
  );
  await expect(frame).toHaveAttribute("sandbox", "allow-scripts allow-same-origin allow-presentation");
  await expect(frame).toHaveAttribute("referrerpolicy", "strict-origin-when-cross-origin");
  await frame.contentFrame().getByRole("button", { name: "Play" }).click();
  await expect.poll(() => page.frames().at(-1)?.title()).toBe("at 9");
  // Two errors of a player would replace it by an error message.
  await frame.evaluate((element: HTMLIFrameElement) => {
    const data = JSON.stringify({ context: "player.js", event: "error" });
    const { origin } = new URL(element.src);
    const elsewhere = { source: element.contentWindow, origin: "https://evil.example" };
    for (const from of [{ source: window, origin }, elsewhere, { source: window, origin }, elsewhere]) {
      window.dispatchEvent(new MessageEvent("message", { data, ...from }));
    }
  });
  await expect(frame.contentFrame().getByRole("status")).not.toBeEmpty();
  await frame.contentFrame().getByRole("button", { name: "Pause" }).click();
  await expect.poll(positionOf(page, "lesson-2-2")).toBeGreaterThan(9);
  await expect(frame).toHaveCount(1);
  complaints.expectEmpty();

  // A Mux playlist plays with the browser's HLS and with ours, and an expired signed URL is renewed.
  await setVideo(academy, "lesson-2-3", "mux:qIJBevaZRlLWBd");
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/lesson-2-3/playback")) asked += 1;
  });
  await standInForPlaylists(page, "https://stream.mux.com", () => asked > 1);
  for (const playsHls of [true, false]) {
    asked = 0;
    if (playsHls) {
      await page.addInitScript(() => Object.assign(window, { WebKitPlaybackTargetAvailabilityEvent: Event }));
    } else {
      await page.addInitScript(() => {
        HTMLMediaElement.prototype.canPlayType = () => "";
      });
    }
    await page.goto("/dashboard?lesson=lesson-2-3&at=3");
    await press(page);
    const video = page.locator("video");
    await expect.poll(secondOf(video)).toBeGreaterThanOrEqual(3);
    await video.evaluate((element: HTMLVideoElement) => element.play());
    await expect.poll(secondOf(video)).toBeGreaterThan(3.2);
    expect(asked).toBe(2);
  }
});

test("the editor plays each service's videos within its own policy, and the hero the current free lessons", async ({
  page,
  ownAcademy: academy,
}) => {
  await standInForYouTube(page);
  await standInForBunny(page);
  await standInForPlaylists(page, "https://media.example");
  await standInForPlaylists(page, "https://stream.mux.com");
  await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-4");
  const policies: string[] = [];
  page.on("response", (response) => {
    const policy = response.headers()["content-security-policy"];
    if (response.request().isNavigationRequest() && policy && response.frame() === page.mainFrame())
      policies.push(policy);
  });
  const player = page.getByRole("region", { name: "Preview", exact: true });
  const frame = page.getByTitle("Preview", { exact: true });
  const all = ["www.youtube-nocookie.com", "iframe.mediadelivery.net", "https://media.example", "https://*.mux.com"];
  for (const [videoId, origin, shown] of [
    [
      "youtube:dQw4w9WgXcQ",
      all[0],
      player.locator("iframe[src^='https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ']"),
    ],
    [
      "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
      all[1],
      frame.and(page.locator("[src*='/embed/759/'][src*='token=']")),
    ],
    ["hls:https://media.example/a.m3u8", all[2], player.locator("video")],
    ["mux:qIJBevaZRlLWBd", all[3], player.locator("video")],
  ] as const) {
    await page.getByLabel("Video", { exact: true }).fill(videoId);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await expect(shown).toHaveCount(1);
    const policy = policies.at(-1) ?? "";
    expect(all.filter((one) => policy.includes(one))).toEqual([origin]);
    if (videoId.startsWith("bunny")) {
      await expect(frame).toHaveAttribute("sandbox", "allow-scripts allow-same-origin allow-presentation");
      await expect(frame.contentFrame().getByRole("button", { name: "Play" })).toBeVisible();
      continue;
    }
    const media = player.locator("video, youtube-video").first();
    await media.evaluate((one: HTMLVideoElement) => void one.play());
    await expect.poll(secondOf(media)).toBeGreaterThan(0);
  }

  // The hero shows the current free lessons, and plays them in place.
  const { pool } = academy;
  await pool.query("update lessons set title = 'Two Prices, One Box' where id = 'lesson-1-1'");
  await pool.query("update lessons set free_preview = (id <> 'lesson-2-1') where id in ('lesson-2-1', 'lesson-3-1')");
  await setVideo(academy, "lesson-1-1", "youtube:dQw4w9WgXcQ");
  await page.context().clearCookies();
  const complaints = watchConsole(page);
  await page.goto("/");
  const titles = page.locator("#free-lessons h3");
  await expect(titles).toHaveText(["Two Prices, One Box", "Clean, Bag, Protect"]);

  await page.getByRole("button", { name: "Play: Two Prices, One Box" }).click();
  const youTube = page.getByRole("region", { name: "Lesson: Two Prices, One Box" }).locator("youtube-video");
  await expect.poll(secondOf(youTube)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Play: Clean, Bag, Protect" }).click();
  await expect(youTube).toHaveCount(0);
  await expect.poll(secondOf(page.locator("video"))).toBeGreaterThan(0);
  complaints.expectEmpty();
});
