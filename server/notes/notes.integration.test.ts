import { expect } from "vitest";
import { deleteNote, listNotes, maxNoteLength, maxNotesOfLesson, saveNote } from "#contract/notes.ts";
import { deleteUser } from "#contract/profile.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { exportedFile } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { test } = await academyOfFile();

let written = 0;
/** With an id of its own, unless given. */
const write = (student: Visitor, lessonId: string, at: number, text = "", id = `written${written++}`) =>
  student.call(saveNote, { params: { id }, body: { lessonId, at, text, replaces: null } });
const notesOf = async (student: Visitor) =>
  (await student.call(listNotes)).body.map(({ lessonId, at, text }) => [lessonId, at, text]);

test("notes are in the order of the course, and each has a second of its own", async ({ academy }) => {
  const student = await academy.member("basic");
  await write(student, "lesson-2-1", 5);
  await write(student, "lesson-1-2", 30, " Fees\n\nof the \u202bبنك\u202c 🧁 ");
  await write(student, "lesson-1-2", 7, "Ask the bank");
  await write(student, "lesson-1-2", 7, "Ask the bank twice");
  expect(await notesOf(student)).toEqual([
    ["lesson-1-2", 6, "Ask the bank twice"],
    ["lesson-1-2", 7, "Ask the bank"],
    ["lesson-1-2", 30, "Fees\n\nof the \u202bبنك\u202c 🧁"],
    ["lesson-2-1", 5, ""],
  ]);
  const past = (await write(student, "lesson-1-1", 86_400)).body;
  expect(past.at).toBeLessThan(100);
  expect(past.at).toBeGreaterThan(30);
});

test("a note is written once however often it is sent, and no other text is overwritten [Z30]", async ({ academy }) => {
  const student = await academy.member("basic");
  const answers = await Promise.all(Array.from({ length: 100 }, () => write(student, "lesson-1-1", 3, "One", "once")));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.at}`))).toEqual(new Set(["200 3"]));
  expect(await notesOf(student)).toEqual([["lesson-1-1", 3, "One"]]);

  const change = async (replaces: string | null, text: string) => {
    const body = { lessonId: "lesson-1-1", at: 3, text, replaces };
    return (await student.call(saveNote, { params: { id: "once" }, body })).status;
  };
  expect(await change("One", "Two")).toBe(200);
  // Sent again because the reply was lost, then by a tab that has not seen the change.
  expect(await change("One", "Two")).toBe(200);
  expect(await change("One", "Three")).toBe(409);
  expect(await change(null, "Four")).toBe(409);
  expect(await notesOf(student)).toEqual([["lesson-1-1", 3, "Two"]]);
  const both = await Promise.all([change("Two", "Five"), change("Two", "Six")]);
  expect(both.sort()).toEqual([200, 409]);
});

test("only the student reads, changes and deletes a note, also while on hold [Z29]", async ({ academy }) => {
  const [student, other] = [await academy.member("basic"), await academy.member("basic")];
  await write(student, "lesson-1-2", 3, "Mine", "mine");
  expect((await write(other, "lesson-1-2", 3, "Yours", "mine")).status).toBe(404);
  expect((await other.call(deleteNote, { params: { id: "mine" } })).status).toBe(200);
  expect(await notesOf(other)).toEqual([]);
  await academy.pool.query("update users set account_status = 'on_hold' where id = $1", [await student.id()]);
  expect((await write(student, "lesson-1-2", 9)).status).toBe(403);
  const body = { lessonId: "lesson-1-2", at: 3, text: "", replaces: "Mine" };
  expect((await student.call(saveNote, { params: { id: "mine" }, body })).status).toBe(200);
  expect(await notesOf(student)).toEqual([["lesson-1-2", 3, ""]]);
  for (let time = 0; time < 2; time++) {
    expect((await student.call(deleteNote, { params: { id: "mine" } })).status).toBe(200);
  }
  expect(await notesOf(student)).toEqual([]);
});

test("a locked lesson accepts no note, and a note has at most 2,000 characters", async ({ academy }) => {
  const student = await academy.member("basic");
  await academy.pool.query(
    "update lessons set video_id = 'youtube:LkFourOne00', duration_seconds = 60, coming_soon = false where id = 'lesson-4-1'",
  );
  expect((await write(student, "lesson-4-1", 1)).status).toBe(403);
  expect((await write(student, "lesson-5-2", 1)).status).toBe(403);
  expect((await write(student, "lesson-9-9", 1)).status).toBe(404);
  expect((await write(student, "lesson-1-1", 1, "x".repeat(maxNoteLength))).status).toBe(200);
  expect((await write(student, "lesson-1-1", 2, "x".repeat(maxNoteLength + 1))).status).toBe(400);
  for (const at of [-1, 1.5, 86_401]) expect((await write(student, "lesson-1-1", at)).status).toBe(400);
});

test("a lesson has at most a hundred notes of a student, also with concurrent requests", async ({ academy }) => {
  const student = await academy.member("basic");
  const id = await student.id();
  await academy.pool.query("update lessons set duration_seconds = 3600 where id = 'lesson-1-3'");
  await academy.pool.query(
    `insert into bookmarks (id, user_id, lesson_id, at, created_at, updated_at)
     select $1 || at, $1, 'lesson-1-3', at, now(), now() from generate_series(1, $2::int) at`,
    [id, maxNotesOfLesson - 2],
  );
  const answers = await Promise.all([2001, 2002, 2003, 2004, 2005].map((at) => write(student, "lesson-1-3", at)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  expect(await notesOf(student)).toHaveLength(maxNotesOfLesson);
  // Stored ones and other lessons are not in the way.
  expect((await write(student, "lesson-1-3", 1, "", `${id}1`)).status).toBe(200);
  expect((await write(student, "lesson-1-2", 1)).status).toBe(200);
});

test("notes are in the data export and are deleted with the account", async ({ academy }) => {
  const student = await academy.member("basic");
  await write(student, "lesson-1-1", 9, "Harvest moon");
  const exported = JSON.parse(await exportedFile(student, "notes.json"));
  expect(exported).toMatchObject([{ lessonId: "lesson-1-1", at: 9, text: "Harvest moon" }]);
  expect((await student.call(deleteUser)).status).toBe(200);
  expect((await academy.pool.query("select 1 from bookmarks where note = 'Harvest moon'")).rowCount).toBe(0);
});
