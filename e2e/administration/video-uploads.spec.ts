import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveProgress } from "#contract/progress.ts";
import { listUnseenChanges } from "#contract/unseen-changes.ts";
import { makeFilm } from "#test/studio/show-film.ts";
import { expect, expectAccessible, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { playLesson, secondOf } from "../video.ts";

testAlone(
  "an upload continues after a reload, and plays for students, who read what changed in the lesson",
  async ({ page, ownAcademy }) => {
    const film = join(mkdtempSync(join(tmpdir(), "film-")), "rack.mp4");
    makeFilm(film, 4);
    const complaints = watchConsole(page);
    const editor = "/admin/content?edit=lesson.lesson-1-3";
    await signInAs(page, "admin@academy.test", editor);
    const file = page.getByLabel("Upload a video");
    await file.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no video") });
    await expect(page.getByText("notes.txt isn’t a video that we can read.")).toBeVisible();

    // The first piece never leaves the browser.
    await page.route("**/api/admin/videos/*", (route) =>
      route.request().method() === "PATCH" ? undefined : route.continue(),
    );
    const begun = page.waitForRequest((request) => request.method() === "PATCH");
    await file.setInputFiles(film);
    const upload = page.getByRole("region", { name: "Upload", exact: true });
    await expect(upload).toContainText("rack.mp4");
    const address = (await begun).url();
    await expectAccessible(page);
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await page.unroute("**/api/admin/videos/*");

    const bytes = await readFile(film);
    const half = Math.floor(bytes.length / 2);
    const sent = await page.request.patch(address, {
      data: bytes.subarray(0, half),
      headers: {
        origin: new URL(address).origin,
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
    });
    expect(sent.status()).toBe(204);
    await page.reload();
    await expect(page.getByText(/^Continue rack.mp4, (49|50)%$/)).toBeVisible();
    await expectAccessible(page);
    const continued = page.waitForRequest((request) => request.method() === "PATCH");
    await page.getByLabel("Upload a video").setInputFiles(film);
    expect((await continued).headers()["upload-offset"]).toBe(String(half));

    const video = page.getByRole("region", { name: "Uploaded video" });
    await expect(video).toContainText("rack.mp4");
    await expect(video).toContainText("Ready to play", { timeout: 120_000 });
    await expect(video.getByRole("alert")).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByRole("link", { name: "Review drafts" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("region", { name: "Uploaded video" })).toContainText("Ready to play");

    await page.getByRole("button", { name: "Use another video" }).click();
    await page.getByText("Videos uploaded before").click();
    await expect(page.getByRole("button", { name: "Use rack.mp4" })).toBeVisible();
    await expect(page.getByText("Used by a draft")).toBeVisible();
    await expect(page.getByRole("button", { name: "Delete rack.mp4" })).toHaveCount(0);

    complaints.expectEmpty();

    const student = await ownAcademy.buyer("basic");
    await student.call(saveProgress, { params: { lessonId: "lesson-1-3" }, body: { position: 1 } });
    await page.getByRole("link", { name: "Review drafts" }).click();
    await page.getByRole("button", { name: "Publish Every Fee, in Order" }).click();
    const changes = page.getByRole("dialog", { name: "What changed for students?" });
    await changes.getByLabel("From (optional)").fill("0:01");
    await changes.getByLabel("To (optional)").fill("0:03");
    await changes.getByLabel("Note").fill("The new scanner app.");
    await changes.getByRole("button", { name: "Publish" }).click();
    await page
      .getByRole("dialog", { name: "Publish without captions?" })
      .getByRole("button", { name: "Publish anyway" })
      .click();
    await expect(page.getByText("Published", { exact: true })).toBeVisible();

    // A student who had begun the lesson finds what changed until they have seen it, and plays the film.
    await signInAs(page, student, "/course-access");
    await page.getByText("Amazon FBA Fundamentals").click();
    await expect(page.getByText("Changed", { exact: true })).toBeVisible();
    await page.goto("/dashboard?lesson=lesson-1-3");
    const note = page.getByRole("region", { name: "Changed since you watched" });
    await expect(note).toContainText("0:01–0:03");
    await expect(note).toContainText("The new scanner app.");
    await expectAccessible(page);
    const seen = page.waitForResponse(/\/api\/user\/lesson-changes\/lesson-1-3/);
    await note.getByRole("button", { name: "Got it" }).click();
    await expect(note).toHaveCount(0);
    expect((await seen).status()).toBe(200);
    expect((await student.call(listUnseenChanges)).body).toEqual([]);
    await page.reload();
    await expect(page.locator("#lesson-title")).toBeVisible();
    await expect(note).toHaveCount(0);
    const played = await playLesson(page);
    await expect.poll(secondOf(played)).toBeGreaterThan(1);
    expect(await played.evaluate(({ duration }: HTMLVideoElement) => Math.round(duration))).toBe(4);

    // What nothing uses says when it goes, and goes when asked to.
    await ownAcademy.pool.query("update lessons set video_id = 'sample:lesson-1-3' where id = 'lesson-1-3'");
    const laterComplaints = watchConsole(page);
    await signInAs(page, "admin@academy.test", editor);
    await page.getByText("Videos uploaded before").click();
    await expect(page.getByText(/^Not used\. It’ll be deleted on /)).toBeVisible();
    await page.getByRole("button", { name: "Delete rack.mp4" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Videos uploaded before")).toHaveCount(0);

    // Begins like a film, and is none.
    const broken = Buffer.from(`\0\0\0\x18ftypisom${"x".repeat(5000)}`);
    await page
      .getByLabel("Upload a video")
      .setInputFiles({ name: "broken.mp4", mimeType: "video/mp4", buffer: broken });
    await expect(video).toContainText("This file is damaged or incomplete.", { timeout: 60_000 });
    await expectAccessible(page);
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    await expect(page.getByText("We’ll convert it again", { exact: true })).toBeVisible();
    await expect(video).toBeFocused();
    await expect(again).toBeVisible({ timeout: 60_000 });
    laterComplaints.expectEmpty();
  },
);
