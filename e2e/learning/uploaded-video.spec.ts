import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import type { RunningAcademy } from "#test/academy.ts";
import { become, expect, playLesson, signInAs, testAlone } from "../academy.ts";

const packaged = `@ffmpeg-installer/${process.platform}-${process.arch}/package.json`;
const ffmpeg = join(dirname(createRequire(import.meta.url).resolve(packaged)), "ffmpeg");

const sources = (seconds: number) =>
  [`testsrc=d=${seconds}:s=320x180:r=10`, `sine=d=${seconds}`].flatMap((source) => ["-f", "lavfi", "-i", source]);
const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "20", "-c:a", "aac"];

/** Stores a film of a minute as a converted upload, and shows it in a lesson. */
async function showFilm({ pool, dataDir }: RunningAcademy, lessonId: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "film-"));
  const hls = ["-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"];
  execFileSync(ffmpeg, [...sources(60), ...codecs, ...hls, "-hls_flags", "single_file", "film.m3u8"], {
    cwd: directory,
  });
  const playlist = readFileSync(join(directory, "film.m3u8"), "utf8");
  const name = /URI="([^"]+)",BYTERANGE="(\d+)@0"/.exec(playlist);
  const file = join(directory, name?.[1] ?? "");
  const found = playlist.matchAll(/#EXTINF:([\d.]+),\s*#EXT-X-BYTERANGE:(\d+)@/g);
  const content = readFileSync(file);
  const key = `videos/${"film0".repeat(4)}`;
  mkdirSync(join(dataDir, "files/videos"), { recursive: true });
  copyFileSync(file, join(dataDir, "files", key));
  // Players load half a minute of such bandwidth at a time.
  const bandwidth = 40_000_000;
  const rendition = {
    ...{ height: 180, width: 320, key, size: content.length, bandwidth, codecs: "avc1.42c00d,mp4a.40.2" },
    ...{ sha256: createHash("sha256").update(content).digest("hex"), headerBytes: Number(name?.[2]) },
    segments: Array.from(found, ([, seconds, bytes]) => [Number(seconds), Number(bytes)]),
  };
  await pool.query(
    `insert into videos (id, file_name, size, state, length_seconds, renditions, created_at)
      values ($1, 'film.mov', 1, 'ready', 60, $2, now())`,
    ["film0".repeat(4), JSON.stringify([rendition])],
  );
  await pool.query("update lessons set video_id = $1, duration_seconds = 60 where id = $2", [
    `own:${"film0".repeat(4)}`,
    lessonId,
  ]);
}

const playedTo = (page: Page) => page.locator("video").evaluate(({ currentTime }: HTMLVideoElement) => currentTime);

/** Plays from a second that is not loaded yet. */
async function playAt(page: Page, second: number): Promise<void> {
  const video = page.locator("video");
  await video.evaluate((element: HTMLVideoElement, at) => {
    element.muted = true;
    element.currentTime = at;
    return element.play();
  }, second);
  await expect.poll(() => playedTo(page)).toBeGreaterThan(second + 0.3);
  await page.locator("video").evaluate((element: HTMLVideoElement) => element.pause());
}

testAlone(
  "a film uploaded for a lesson plays for its students, and by no one else's session [Z67]",
  async ({ page, ownAcademy: academy }) => {
    testAlone.slow();
    const film = join(mkdtempSync(join(tmpdir(), "film-")), "film.mp4");
    execFileSync(ffmpeg, [...sources(10), ...codecs, film]);
    await signInAs(page, "admin@academy.test", "/admin/content?edit=lesson.lesson-1-3");
    await page.getByLabel("Upload a video").setInputFiles(film);
    await expect(page.getByRole("region", { name: "Uploaded video" })).toContainText("Ready to play", {
      timeout: 120_000,
    });
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("link", { name: "Review drafts" }).click();
    await page
      .getByRole("button", { name: /^Publish .+/ })
      .first()
      .click();
    const changes = page.getByRole("dialog", { name: "What changed for students?" });
    await changes.getByLabel("Students don’t need to know").check();
    await changes.getByRole("button", { name: "Publish" }).click();
    await page
      .getByRole("dialog", { name: "Publish without captions?" })
      .getByRole("button", { name: "Publish anyway" })
      .click();
    await expect(page.getByText("Published", { exact: true })).toBeVisible();

    const master = page.waitForRequest(/\/media\/.*master\.m3u8/);
    await become(page.context(), await academy.buyer("basic"));
    await page.goto("/dashboard?lesson=lesson-1-3");
    const media = await playLesson(page);
    await expect.poll(() => playedTo(page)).toBeGreaterThan(1);
    expect(await media.evaluate(({ duration }: HTMLVideoElement) => Math.round(duration))).toBe(10);
    const folder = new URL((await master).url()).pathname.replace(/[^/]*$/, "");
    const other = await academy.buyer("basic");
    for (const file of ["master.m3u8", "180.m3u8", "180.mp4"]) {
      expect((await other.send("GET", folder + file, undefined, { range: "bytes=0-9" })).status, file).toBe(403);
    }
  },
);

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
    await renewed;
    await academy.advance("15m");
    await playAt(page, 50);
    expect(new Set(statuses)).toEqual(new Set([200, 206]));
    await expect(media).toHaveAttribute("data-first");

    // It slept too long: another player begins at the same second.
    await academy.advance("31m");
    await media.evaluate((element: HTMLVideoElement) => (element.currentTime = 40));
    await expect.poll(() => statuses.includes(403)).toBe(true);
    await expect(media).not.toHaveAttribute("data-first");
    await playAt(page, 40);
  },
);
