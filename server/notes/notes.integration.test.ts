import { expect } from "vitest";
import { addBookmark, editBookmark, listBookmarks, maxBookmarks, removeBookmark } from "#contract/notes.ts";
import { deleteUser, exportData } from "#contract/profile.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { unzip } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { test } = await academyOfFile();

const mark = (student: Visitor, lessonId: string, at: number, note: string | null = null) =>
  student.call(addBookmark, { body: { lessonId, at, note } });
const marksOf = async (student: Visitor) =>
  (await student.call(listBookmarks)).body.map(({ lessonId, at, note }) => [lessonId, at, note]);

test("bookmarks are in the order of the course, one per second, with the last note", async ({ academy }) => {
  const student = await academy.buyer("basic");
  await mark(student, "lesson-2-1", 5);
  await mark(student, "lesson-1-2", 30, " Fees ");
  await mark(student, "lesson-1-2", 7, "Ask the bank");
  await mark(student, "lesson-1-2", 7, "Ask the bank twice");
  expect(await marksOf(student)).toEqual([
    ["lesson-1-2", 7, "Ask the bank twice"],
    ["lesson-1-2", 30, "Fees"],
    ["lesson-2-1", 5, null],
  ]);
  const past = (await mark(student, "lesson-1-1", 86_400)).body;
  expect(past.at).toBeLessThan(100);
  expect(past.at).toBeGreaterThan(30);
});

test("only the student changes and deletes a bookmark", async ({ academy }) => {
  const [student, other] = [await academy.buyer("basic"), await academy.buyer("basic")];
  const { id } = (await mark(student, "lesson-1-1", 3, "Mine")).body;
  const edit = (who: Visitor, note: string | null) => who.call(editBookmark, { params: { id }, body: { note } });
  expect((await edit(other, "Yours")).status).toBe(404);
  expect((await other.call(removeBookmark, { params: { id } })).status).toBe(200);
  expect((await edit(student, "")).body).toMatchObject({ id, note: null });
  expect(await marksOf(other)).toEqual([]);
  expect(await marksOf(student)).toEqual([["lesson-1-1", 3, null]]);
  for (let time = 0; time < 2; time++) {
    expect((await student.call(removeBookmark, { params: { id } })).status).toBe(200);
  }
  expect((await edit(student, "Late")).status).toBe(404);
  expect(await marksOf(student)).toEqual([]);
});

test("a locked lesson accepts no bookmark, and a note has at most 200 characters", async ({ academy }) => {
  const student = await academy.buyer("basic");
  await academy.pool.query(
    "update lessons set video_id = 'youtube:LkFourOne00', duration_seconds = 60, coming_soon = false where id = 'lesson-4-1'",
  );
  expect((await mark(student, "lesson-4-1", 1)).status).toBe(403);
  expect((await mark(student, "lesson-5-2", 1)).status).toBe(403);
  expect((await mark(student, "lesson-9-9", 1)).status).toBe(404);
  expect((await mark(student, "lesson-1-1", 1, "x".repeat(200))).status).toBe(200);
  expect((await mark(student, "lesson-1-1", 2, "x".repeat(201))).status).toBe(400);
  for (const at of [-1, 1.5, 86_401]) expect((await mark(student, "lesson-1-1", at)).status).toBe(400);
  expect((await academy.visitor().call(listBookmarks)).status).toBe(401);
});

test("a lesson has at most a hundred bookmarks of a student, also with concurrent requests", async ({ academy }) => {
  const student = await academy.buyer("basic");
  const id = await student.id();
  await academy.pool.query("update lessons set duration_seconds = 3600 where id = 'lesson-1-3'");
  await academy.pool.query(
    `insert into bookmarks (id, user_id, lesson_id, at, created_at, updated_at)
     select $1 || at, $1, 'lesson-1-3', at, now(), now() from generate_series(1, $2::int) at`,
    [id, maxBookmarks - 2],
  );
  const answers = await Promise.all([2001, 2002, 2003, 2004, 2005].map((at) => mark(student, "lesson-1-3", at)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  expect(await marksOf(student)).toHaveLength(maxBookmarks);
  // Known seconds and other lessons are not in the way.
  expect((await mark(student, "lesson-1-3", 1, "Again")).status).toBe(200);
  expect((await mark(student, "lesson-1-2", 1)).status).toBe(200);
});

test("bookmarks are in the data export and are deleted with the account", async ({ academy }) => {
  const student = await academy.buyer("basic");
  await mark(student, "lesson-1-1", 9, "Harvest moon");
  const archive = unzip(Buffer.from(await (await student.send("GET", exportData.path)).arrayBuffer()));
  expect(JSON.parse(archive.get("bookmarks.json")?.toString() ?? "null")).toMatchObject([
    { lessonId: "lesson-1-1", at: 9, note: "Harvest moon" },
  ]);
  expect((await student.call(deleteUser)).status).toBe(200);
  expect((await academy.pool.query("select 1 from bookmarks where note = 'Harvest moon'")).rowCount).toBe(0);
});
