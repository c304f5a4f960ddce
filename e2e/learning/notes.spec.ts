import { readFile } from "node:fs/promises";
import { listNotes, saveNote } from "#contract/notes.ts";
import { expect, expectAccessible, expectAccessibleInBothSchemes, signInAs, test } from "../academy.ts";
import { playLesson, secondOf } from "../video.ts";

test("notes are written beside the player, edited, restored and found; the transcript follows the video", async ({
  page,
  academy,
}) => {
  const student = await academy.buyer("basic");
  await signInAs(page, student, "/dashboard?lesson=lesson-1-1&at=12");
  const video = page.getByRole("region", { name: "Lesson: The Gap Between Two Prices" }).locator("video");
  const second = secondOf(video);
  const isPaused = () => video.evaluate(({ paused }: HTMLVideoElement) => paused);
  await page.getByRole("button", { name: "Notes", exact: true }).click();
  const add = page.getByRole("button", { name: "Add a note" });
  await add.click();
  const note = page.getByRole("textbox", { name: "Note at 0:12" });
  await expect(note).toBeFocused();
  await note.fill("Ask about\nthe third fee");
  // While the server fails the note waits in the browser, also through a reload.
  await page.route("**/api/user/notes/*", (route) => route.fulfill({ status: 503 }));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const list = page.getByRole("list", { name: "Notes of this lesson" });
  await expect(list).toContainText("Not saved yet");
  await page.unroute("**/api/user/notes/*");
  await page.reload();
  await expect(list.getByRole("button", { name: "Edit the note at 0:12" })).toBeVisible();
  await expect(list).toContainText("the third fee");
  expect((await student.call(listNotes)).body).toMatchObject([{ at: 12, text: "Ask about\nthe third fee" }]);

  // It pauses while the student writes, and goes on when the note is given up.
  await playLesson(page);
  await expect.poll(second).toBeGreaterThan(0);
  await add.click();
  await expect.poll(isPaused).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(add).toBeFocused();
  await expect.poll(isPaused).toBe(false);
  await video.evaluate((element: HTMLVideoElement) => {
    element.pause();
    element.currentTime = 30;
  });
  await expect.poll(second).toBe(30);
  await list.getByRole("link", { name: "Go to 0:12: Ask about" }).click();
  await expect.poll(second).toBe(12);

  await list.getByRole("button", { name: "Edit the note at 0:12" }).click();
  await note.fill("Settled");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "Edit the note at 0:12" })).toBeFocused();
  await expect(list).toContainText("Settled");
  await expectAccessibleInBothSchemes(page);
  await list.getByRole("button", { name: "Delete the note at 0:12" }).press("Enter");
  const undo = list.getByRole("button", { name: "Undo" });
  await expect(undo).toBeFocused();
  expect((await student.call(listNotes)).body).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(list.getByRole("link", { name: "Go to 0:12: Settled" })).toBeFocused();
  const [kept] = (await student.call(listNotes)).body;
  expect(kept).toMatchObject({ lessonId: "lesson-1-1", at: 12, text: "Settled" });

  // Another device has changed it since this page read it.
  const save = (id: string, lessonId: string, text: string, replaces: string | null) =>
    student.call(saveNote, { params: { id }, body: { lessonId, at: 4, text, replaces } });
  await save(kept?.id ?? "", "lesson-1-1", "From the phone", "Settled");
  await list.getByRole("button", { name: "Edit the note at 0:12" }).click();
  await note.fill("From here");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const meanwhile = list.getByRole("region", { name: "Changed elsewhere" });
  await expect(meanwhile).toContainText("From the phone");
  await meanwhile.getByRole("button", { name: "Keep mine" }).click();
  await page.keyboard.press("Enter");
  await expect(list.getByRole("link", { name: "Go to 0:12: From here" })).toBeVisible();
  // A second note at this second is the same one.
  await add.click();
  await expect(note).toBeFocused();
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "Edit the note at 0:12" })).toBeFocused();

  await save("elsewhere", "lesson-2-1", "Scan this aisle first", null);
  await page.goto("/dashboard?tab=notes");
  const panel = page.getByRole("tabpanel", { name: "Notes" });
  await expect(panel.getByRole("heading", { level: 4 })).toHaveText([
    "The Gap Between Two Prices",
    "Scan Your First Shelf",
  ]);
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await panel.getByRole("button", { name: "Download as Markdown" }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file).toContain(`[0:04](${academy.url}/dashboard?lesson=lesson-2-1&at=4)\n\n  Scan this aisle first\n`);
  await panel.getByRole("link", { name: "Go to 0:04: Scan this aisle first" }).click();
  await expect(page).toHaveURL(/lesson=lesson-2-1$/);
  await expect(page.getByRole("button", { name: "Resume at 0:04: Scan Your First Shelf" })).toBeVisible();

  // The transcript follows the video, seeks, and leaves a reader who scrolled away alone.
  await page.setViewportSize({ width: 390, height: 664 });
  await page.goto("/dashboard?lesson=lesson-1-1");
  await page.getByRole("button", { name: "Transcript", exact: true }).click();
  const lines = page.getByRole("list", { name: "Transcript" }).getByRole("button");
  await playLesson(page);
  await expect.poll(second).toBeGreaterThan(0);
  await video.evaluate((element: HTMLVideoElement) => {
    element.pause();
    element.currentTime = 7;
  });
  const current = page.locator("[data-cue][aria-current]");
  await expect(current).toContainText("This board game is on clearance for $9.");
  await expect(current).toBeInViewport();

  const box = page.getByRole("list", { name: "Transcript" });
  const top = () => box.evaluate(({ scrollTop }) => scrollTop);
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const toCurrent = page.getByRole("button", { name: "Go to the current line" });
  await expect(toCurrent).toBeVisible();
  const away = await top();
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 10.5;
  });
  await expect(current).not.toContainText("This board game");
  expect(await top()).toBe(away);
  await toCurrent.click();
  await expect(toCurrent).toHaveCount(0);

  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("CLEARANCE board");
  await expect(lines).toHaveCount(1);
  await lines.first().focus();
  await page.keyboard.press("Enter");
  await expect.poll(second).toBeCloseTo(6.25, 1);
  await expectAccessible(page);

  await page.getByRole("searchbox", { name: "Search the transcript" }).fill("");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  await expect(page.getByText("The sum of this lesson")).toBeVisible();
});
