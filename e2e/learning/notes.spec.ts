import { addBookmark, listBookmarks } from "#contract/notes.ts";
import { become, expect, expectAccessibleInBothSchemes, playLesson, test } from "../academy.ts";

test("a moment is bookmarked, noted, found, edited, deleted and restored, and all are in one tab", async ({
  page,
  context,
  academy,
}) => {
  const student = await academy.buyer("basic");
  await become(context, student);
  await page.goto("/dashboard?lesson=lesson-1-1&at=12");
  const video = page.getByRole("region", { name: "Lesson: The Gap Between Two Prices" }).locator("video");
  const second = () => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime);
  await page.getByRole("button", { name: "Bookmark this moment" }).click();
  const note = page.getByRole("textbox", { name: "Note at 0:12" });
  await expect(note).toBeFocused();
  await note.fill("Ask about the third fee");
  await page.keyboard.press("Enter");
  const list = page.getByRole("list", { name: "Bookmarks of this lesson" });
  await expect(list).toContainText("Ask about the third fee");
  await expect(page.getByRole("button", { name: "Edit the note at 0:12" })).toBeFocused();

  await playLesson(page);
  await expect.poll(second).toBeGreaterThanOrEqual(12);
  await video.evaluate((element: HTMLVideoElement) => {
    element.pause();
    element.currentTime = 30;
  });
  await expect.poll(second).toBe(30);
  await list.getByRole("link", { name: "Go to 0:12: Ask about the third fee" }).click();
  await expect.poll(second).toBe(12);

  await list.getByRole("button", { name: "Edit the note at 0:12" }).click();
  await note.fill("Settled");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(list).toContainText("Settled");
  await expectAccessibleInBothSchemes(page);
  await list.getByRole("button", { name: "Delete the bookmark at 0:12" }).press("Enter");
  const undo = list.getByRole("button", { name: "Undo" });
  await expect(undo).toBeFocused();
  expect((await student.call(listBookmarks)).body).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(list.getByRole("link", { name: "Go to 0:12: Settled" })).toBeFocused();
  expect((await student.call(listBookmarks)).body).toMatchObject([{ lessonId: "lesson-1-1", at: 12, note: "Settled" }]);

  await student.call(addBookmark, { body: { lessonId: "lesson-2-1", at: 4, note: "Scan this aisle first" } });
  await page.goto("/dashboard?tab=bookmarks");
  const panel = page.getByRole("tabpanel", { name: "Bookmarks" });
  await expect(panel.getByRole("heading", { level: 3 })).toHaveText([
    "The Gap Between Two Prices",
    "Scan Your First Shelf",
  ]);
  await expectAccessibleInBothSchemes(page);
  await panel.getByRole("link", { name: "Go to 0:04: Scan this aisle first" }).click();
  await expect(page).toHaveURL(/lesson=lesson-2-1$/);
  await expect(page.getByRole("button", { name: "Resume at 0:04: Scan Your First Shelf" })).toBeVisible();
});
