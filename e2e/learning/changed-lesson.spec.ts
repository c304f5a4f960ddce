import { saveProgress } from "#contract/progress.ts";
import { listUnseenChanges } from "#contract/unseen-changes.ts";
import { become, expect, expectAccessible, testAlone } from "../academy.ts";

testAlone("a student finds what changed in a lesson until they have seen it", async ({ page, ownAcademy: academy }) => {
  const student = await academy.buyer("basic");
  await student.call(saveProgress, { params: { lessonId: "lesson-1-2" }, body: { position: 1 } });
  await academy.pool.query(
    `insert into lesson_changes (id, lesson_id, title, at, kind, from_seconds, to_seconds, note)
      values ($1, 'lesson-1-2', 'T', date_trunc('second', now()) + interval '1 minute', 'replaced', 4, 8, 'The new scanner app.')`,
    ["change".padEnd(20, "0")],
  );
  await academy.advance("2m");
  await become(page.context(), student);
  await page.goto("/course-access");
  await page.getByText("Amazon FBA Fundamentals").click();
  await expect(page.getByText("Changed", { exact: true })).toBeVisible();
  await page.goto("/dashboard?lesson=lesson-1-2");
  const note = page.getByRole("region", { name: "Changed since you watched" });
  await expect(note).toContainText("0:04–0:08");
  await expect(note).toContainText("The new scanner app.");
  await expectAccessible(page);
  const seen = page.waitForResponse(/\/api\/user\/lesson-changes\/lesson-1-2/);
  await note.getByRole("button", { name: "Got it" }).click();
  await expect(note).toHaveCount(0);
  expect((await seen).status()).toBe(200);
  expect((await student.call(listUnseenChanges)).body).toEqual([]);
  await page.reload();
  await expect(page.locator("#lesson-title")).toBeVisible();
  await expect(note).toHaveCount(0);
});
