import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { draftLesson, getContent, type LessonContent, publishContent } from "#contract/admin/content.ts";
import { deleteLessonChange, editLessonChange, listLessonChanges } from "#contract/admin/lesson-changes.ts";
import { listProgress, saveProgress } from "#contract/progress.ts";
import { listUnseenChanges, seeChanges } from "#contract/unseen-changes.ts";
import * as drafts from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const captions = "WEBVTT\n\n00:00.000 --> 00:02.000\nIt costs nine dollars.\n";
const content = async () => (await admin.call(getContent)).body;
const draft = async (id: string, changes: Partial<LessonContent>) =>
  expect((await drafts.draft(admin, "lessons", id, changes)).status).toBe(200);
/** Also without captions, which publishing asks about after the changes. */
const publish = async (body: object = {}) =>
  admin.call(publishContent, { body: { despite: (await content()).lessons.map(({ id }) => id), ...body } });
const publishedWith = async (body: object = {}) => expect((await publish(body)).status).toBe(200);
const list = async () => (await admin.call(listLessonChanges, { query: { limit: "200" } })).body.rows;
const changesOf = async (id: string) =>
  (await list())
    .filter(({ lessonId }) => lessonId === id)
    .map(({ kind, from, to, note }) => ({ kind, from, to, note }));
const replaced = { kind: "replaced", from: 100, to: 190, note: "The new scanner app." } as const;

test("another video and other captions of a lesson are published with a note, or with the word that none is needed", async () => {
  await draft("lesson-1-2", { videoId: "sample:lesson-1-3" });
  await draft("lesson-1-3", { captions });
  const refused = await publish();
  expect(refused).toMatchObject({ status: 409, body: { code: "undescribed-change" } });
  expect(refused.body.errors).toEqual({
    "lesson-1-2": ["The video was replaced."],
    "lesson-1-3": ["The captions were changed."],
  });
  expect((await content()).drafts).toBe(2);
  expect((await publish({ changes: { "lesson-1-2": replaced } })).body.errors).toEqual({
    "lesson-1-3": ["The captions were changed."],
  });
  await publishedWith({ changes: { "lesson-1-2": replaced, "lesson-1-3": null } });
  expect(await changesOf("lesson-1-2")).toEqual([replaced]);
  expect(await changesOf("lesson-1-3")).toEqual([]);

  await draft("lesson-1-2", { title: "Another title" });
  await draft("lesson-1-3", { captions: captions.replace("WEBVTT\n", "WEBVTT\n\nNOTE the same words\n") });
  await publishedWith();
  expect(await changesOf("lesson-1-2")).toHaveLength(1);
});

test("a note with half a range, a range backwards, no words or too many is refused, and nothing is published", async () => {
  await draft("lesson-1-2", { videoId: "sample:lesson-1-2" });
  const wrong = [
    [{ from: 10 }, "to"],
    [{ to: 10 }, "from"],
    [{ from: 10, to: 10 }, "to"],
    [{ from: -1, to: 10 }, "from"],
    [{ note: " " }, "note"],
    [{ note: "x".repeat(301) }, "note"],
    [{ kind: "new" }, "kind"],
  ] as const;
  for (const [part, field] of wrong) {
    const change = { kind: "corrected", from: null, to: null, note: "Clearer.", ...part };
    const { status, body } = await publish({ changes: { "lesson-1-2": change } });
    expect(status, field).toBe(400);
    expect(Object.keys(body.errors ?? {})).toEqual([`changes.lesson-1-2.${field}`]);
  }
  expect((await content()).drafts).toBe(1);
  await publishedWith({ changes: { "lesson-1-2": null } });
});

test("lessons that come and go are recorded, one by one and with their module, and none that was never open", async () => {
  await draft("lesson-1-4", { released: false });
  await publishedWith();
  expect(await changesOf("lesson-1-4")).toMatchObject([{ kind: "retired" }]);
  await draft("lesson-1-4", { released: true, videoId: "sample:lesson-1-3" });
  await publishedWith();
  expect(await changesOf("lesson-1-4")).toMatchObject([{ kind: "new" }, { kind: "retired" }]);

  const ofModule = async () => (await list()).filter(({ lessonId }) => lessonId.startsWith("lesson-2-"));
  await drafts.draft(admin, "modules", "module-2", { released: false });
  await publishedWith();
  const gone = await ofModule();
  expect(new Set(gone.map(({ kind }) => kind))).toEqual(new Set(["retired"]));
  await drafts.draft(admin, "modules", "module-2", { released: true });
  await publishedWith();
  expect(await ofModule()).toHaveLength(gone.length * 2);

  const opensAt = new Date((await academy.now()) + 7 * 86_400_000).toISOString();
  const text = { ...(await drafts.published(admin, "lessons", "lesson-1-1")), title: "Soon", opensAt, captions: null };
  expect((await admin.call(draftLesson, { params: { id: "new" }, body: text })).status).toBe(200);
  await publishedWith();
  const [soon] = await list();
  expect(soon).toMatchObject({ kind: "new", title: "Soon", isPublic: false });
  await draft(soon?.lessonId ?? "", { released: false });
  await publishedWith();
  expect(await changesOf(soon?.lessonId ?? "")).toEqual([]);
});

test("a note is corrected and deleted afterwards, which the audit log says", async () => {
  const change = (await list()).find(({ kind }) => kind === "replaced");
  const params = { id: change?.id ?? "" };
  const edit = (body: object) => admin.call(editLessonChange, { params, body });
  expect((await edit({ from: null, to: null, note: "" })).status).toBe(400);
  expect((await edit({ from: 5, to: 2, note: "N" })).status).toBe(400);
  expect((await edit({ from: null, to: null, note: "The new scanner." })).status).toBe(200);
  expect((await list()).find(({ id }) => id === change?.id)).toMatchObject({
    from: null,
    note: "The new scanner.",
    at: change?.at,
  });
  expect((await admin.call(deleteLessonChange, { params, body: {} })).status).toBe(200);
  expect((await admin.call(deleteLessonChange, { params, body: {} })).status).toBe(404);
  const [deleted, edited] = (await admin.call(listAudit)).body.rows;
  expect(deleted).toMatchObject({ action: "delete change of lesson", subject: "lesson-1-2" });
  expect(edited).toMatchObject({ before: { note: "The new scanner app." }, after: { note: "The new scanner." } });
});

const publicPage = async () => (await academy.visitor().send("GET", "/changes")).text();
const feed = (headers = {}) => academy.visitor().send("GET", "/changes.atom", undefined, headers);

test("the page and the feed have changes of lessons that can be watched, and of hidden ones only that they are gone [Z59]", async () => {
  await draft("lesson-3-1", { videoId: "sample:lesson-1-2" });
  await draft("lesson-3-2", { videoId: "sample:lesson-1-2" });
  const changes = {
    "lesson-3-1": { ...replaced, note: "Kept secret" },
    "lesson-3-2": { ...replaced, note: "For everyone" },
  };
  await publishedWith({ changes });
  expect(await publicPage()).toContain("Kept secret");
  const { title } = await drafts.published(admin, "lessons", "lesson-3-1");
  await draft("lesson-3-1", { title: "A title that nobody may read", released: false });
  await publishedWith();
  for (const text of [await publicPage(), await (await feed()).text()]) {
    expect(text).toContain("For everyone");
    expect(text).toContain(title);
    expect(text).not.toMatch(/Kept secret|A title that nobody may read|lesson-3-1/);
  }
  await draft("lesson-3-2", { comingSoon: true });
  expect(await publicPage()).toContain("For everyone");
  await publishedWith();
  expect(await publicPage()).not.toContain("For everyone");
});

test("the feed is valid Atom for any title and note, and is sent again only once it has changed [Z60]", async () => {
  const note = `A & B </summary><script>"'\u0007`;
  await draft("lesson-2-2", { title: "Fees & <b>taxes</b>", videoId: "sample:lesson-1-2" });
  await publishedWith({ changes: { "lesson-2-2": { ...replaced, note } } });
  const answer = await feed();
  expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const text = await answer.text();
  expect(text).toContain("<summary>A &amp; B &lt;/summary&gt;&lt;script&gt;&quot;&#39;</summary>");
  expect(text).toContain("<title>Replaced: Fees &amp; &lt;b&gt;taxes&lt;/b&gt; (1:40–3:10)</title>");
  expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${academy.url}/changes.atom"/>`);
  const ids = [...text.matchAll(/<id>(.+?)<\/id>/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const times = [...text.matchAll(/<updated>(.+?)<\/updated>/g)].map(([, time]) => time);
  expect(times.slice(1)).toEqual(times.slice(1).toSorted().toReversed());
  expect(times[0]).toBe(times[1]);
  expect(text.replaceAll(/<(\w+)[^<>]*\/>/g, "").match(/<\/\w+>/g)).toHaveLength(
    text.replaceAll(/<(\w+)[^<>]*\/>/g, "").match(/<\w+[^>]*>/g)?.length ?? 0,
  );
  expect((await feed({ "if-none-match": answer.headers.get("etag") })).status).toBe(304);
});

test("a student sees what changed since they began a lesson until they have seen it, and then what comes later", async () => {
  const student = await academy.member("basic");
  const begun = { params: { lessonId: "lesson-2-3" }, body: { position: 1 } };
  const unseen = async () => (await student.call(listUnseenChanges)).body.map(({ note }) => note);
  const isChanged = async () => (await student.call(listProgress)).body.some((record) => record.isChanged === true);
  const change = async (videoId: string, note: string) => {
    await draft("lesson-2-3", { videoId });
    await publishedWith({ changes: { "lesson-2-3": { ...replaced, note } } });
    await academy.advance("1m");
  };
  await change("sample:lesson-1-2", "Before the student came");
  expect((await student.call(saveProgress, begun)).status).toBe(200);
  await academy.advance("1m");
  expect([await unseen(), await isChanged()]).toEqual([[], false]);
  await change("sample:lesson-1-3", "First");
  await change("sample:lesson-1-2", "Second");
  expect([await unseen(), await isChanged()]).toEqual([["Second", "First"], true]);
  const [second, first] = (await student.call(listUnseenChanges)).body;
  const see = (changeId = "", lessonId = "lesson-2-3") =>
    student.call(seeChanges, { params: { lessonId }, body: { changeId } });
  expect((await see(second?.id, "lesson-2-2")).status).toBe(404);
  expect((await see(first?.id)).body.map(({ note }) => note)).toEqual(["Second"]);
  expect((await see(second?.id)).body).toEqual([]);
  expect(await isChanged()).toBe(false);
  expect((await see(first?.id)).body).toEqual([]);
  await change("sample:lesson-1-3", "Third");
  expect(await unseen()).toEqual(["Third"]);
  await draft("lesson-2-3", { released: false });
  await publishedWith();
  expect(await unseen()).toEqual([]);
});
