import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  type DraftKey,
  discardDrafts,
  draftLesson,
  draftModule,
  getContent,
  type LessonContent,
  moveContent,
  publishContent,
} from "#contract/admin/content.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { changeCopy, draft } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const content = async () => (await admin.call(getContent)).body;
const lessonOf = async (id: string) => (await content()).lessons.find((one) => one.id === id);
type Chosen = DraftKey & { version?: string | undefined };
const publish = (...only: Chosen[]) => admin.call(publishContent, { body: { only } });
const discard = (...only: Chosen[]) => admin.call(discardDrafts, { body: { only } });
const onPages = async (moduleId: string) =>
  (await academy.visitor().call(getCatalogue)).body.find(({ id }) => id === moduleId)?.lessons.map(({ id }) => id);
const moveLesson = (id: string, before: string) => admin.call(moveContent, { body: { kind: "lesson", id, before } });
const saveTitle = async (id: string, title: string) =>
  expect((await draft(admin, "lessons", id, { title })).status).toBe(200);
const newLesson = async (moduleId: string, title: string): Promise<string> => {
  const text = { title, description: "Of its own.", duration: 100, videoId: "placeholder-video", captions: null };
  const body = { ...text, moduleId, freePreview: false, comingSoon: true, released: true } as LessonContent;
  const { lessons } = (await admin.call(draftLesson, { params: { id: "new" }, body })).body;
  return lessons.find(({ draft }) => draft?.title === title)?.id ?? "";
};

test("a lesson's text and the order of the lessons are published apart, and each says who changed it [Z43]", async () => {
  const before = await onPages("module-2");
  await saveTitle("lesson-2-1", "Written first");
  await moveLesson("lesson-2-1", "lesson-2-3");
  const other = await inRole(academy, "administrator");
  await other.call(moveContent, { body: { kind: "lesson", id: "lesson-2-1", before: "lesson-2-4" } });
  const { drafts, orders, lessons } = await content();
  expect(drafts).toBe(2);
  expect(lessons.find(({ id }) => id === "lesson-2-1")?.draftBy).toBe("Ruth Okafor");
  const [order] = orders;
  expect(order).toMatchObject({ id: "module-2", published: { order: before } });
  expect(order?.draftBy).not.toBe("Ruth Okafor");

  const named = { kind: "lesson", id: "lesson-2-1" } as const;
  expect((await publish(named, named)).body.message).toBe("Published: 1");
  expect(await onPages("module-2")).toEqual(before);
  expect(await content()).toMatchObject({ drafts: 1, orders: [{ draft: order?.draft }] });
  expect((await publish({ kind: "order", id: "module-2", version: order?.version })).status).toBe(200);
  const after = ["lesson-2-2", "lesson-2-3", "lesson-2-1", "lesson-2-4"];
  expect(await onPages("module-2")).toEqual(after);
  expect((await content()).drafts).toBe(0);
  const [entry] = (await admin.call(listAudit, { query: { action: "publish order" } })).body.rows;
  expect(entry).toMatchObject({ subject: "module-2", after: { order: expect.arrayContaining(["Written first"]) } });
});

test("a new lesson is published at its place, while drafts of other lessons and of their order stay drafts", async () => {
  const [first = "", second = "", ...others] = (await onPages("module-3")) ?? [];
  const added = await newLesson("module-3", "In between");
  await moveLesson(added, second);
  expect(await content()).toMatchObject({ drafts: 1, orders: [] });
  await moveLesson(second, first);
  await saveTitle(second, "Not yet");
  expect((await publish({ kind: "lesson", id: added })).status).toBe(200);
  expect(await onPages("module-3")).toEqual([first, added, second, ...others]);
  expect((await content()).drafts).toBe(2);

  const another = await newLesson("module-3", "Behind the first");
  await moveLesson(another, added);
  await discard({ kind: "order", id: "module-3" });
  expect((await content()).orders).toEqual([]);
  await publish({ kind: "lesson", id: another });
  expect(await onPages("module-3")).toEqual([first, another, added, second, ...others]);
  await discard({ kind: "lesson", id: second });
  expect((await content()).drafts).toBe(0);
});

test("a draft that needs a new module names it, and both are published together", async () => {
  const module = { ...(await content()).modules[0]?.published, title: "Selling abroad" };
  const { modules } = (await admin.call(draftModule, { params: { id: "new" }, body: module })).body;
  const moduleKey = { kind: "module" as const, id: modules.at(-1)?.id ?? "" };
  const lesson = { kind: "lesson" as const, id: await newLesson(moduleKey.id, "Customs") };
  await changeCopy(admin, "topics", ({ topics }) => ({
    topics: topics.map((one) => ({ ...one, moduleId: moduleKey.id })),
  }));
  const { lessons, copy } = await content();
  for (const draft of [lessons.find(({ id }) => id === lesson.id), copy.find(({ id }) => id === "topics")]) {
    expect(draft?.needs).toEqual([moduleKey]);
  }
  expect(await publish(lesson)).toMatchObject({
    status: 409,
    body: { message: "Publish the module “Selling abroad” together with “Customs”." },
  });
  expect((await publish({ kind: "copy", id: "topics" })).status).toBe(409);
  expect((await publish(lesson, moduleKey)).status).toBe(200);
  expect(await onPages(moduleKey.id)).toEqual([lesson.id]);
  expect((await publish({ kind: "copy", id: "topics" })).status).toBe(200);
});

test("a draft that somebody else changed meanwhile is neither published nor discarded, and its author is named [Z43]", async () => {
  await saveTitle("lesson-1-2", "As it was reviewed");
  const seen = (await lessonOf("lesson-1-2"))?.version;
  const other = await inRole(academy, "administrator");
  const body = { ...(await lessonOf("lesson-1-2"))?.published, title: "As it is now" };
  await other.call(draftLesson, { params: { id: "lesson-1-2" }, body });
  const name = (await lessonOf("lesson-1-2"))?.draftBy;
  const key = { kind: "lesson" as const, id: "lesson-1-2" };
  expect(await publish({ ...key, version: seen })).toMatchObject({
    status: 409,
    body: {
      message: `${name} has changed “As it is now” since you looked at it. Review the change, then publish again.`,
    },
  });
  expect((await discard({ ...key, version: seen })).status).toBe(409);
  expect(await lessonOf("lesson-1-2")).toMatchObject({ draft: body });
  expect((await discard({ ...key, version: (await lessonOf("lesson-1-2"))?.version })).status).toBe(200);
  expect(await publish({ ...key, version: seen })).toMatchObject({
    status: 404,
    body: { message: "Someone else has already published or discarded this draft." },
  });
});
