import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { listLessonReviews, verifyLesson } from "#contract/admin/lesson-reviews.ts";
import { getMorning } from "#contract/admin/morning.ts";
import { getWaiting } from "#contract/admin/statistics.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { changeSettings, publish, publishWith } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const list = async (query: Record<string, string> = {}) =>
  (await admin.call(listLessonReviews, { query: { limit: "200", ...query } })).body;
const due = async () => (await list()).rows.map(({ id }) => id);
const check = (lessonId: string, body: object = {}) => admin.call(verifyLesson, { params: { lessonId }, body });
const onPages = async (lessonId: string) =>
  (await academy.visitor().call(getCatalogue)).body.flatMap(({ lessons }) => lessons).find(({ id }) => id === lessonId);

test("a lesson is due 90 days after its last check, and counted beside what else waits", async () => {
  const all = await list({ show: "all" });
  expect(all.total).toBe(all.rows.length);
  expect(all.rows.some(({ id }) => id === "lesson-4-1")).toBe(false);
  expect(await due()).toEqual([]);

  expect((await check("lesson-1-2")).status).toBe(200);
  const publishedBefore = (days: number) =>
    academy.pool.query("update lessons set updated_at = now() - make_interval(days => $1)", [days]);
  await publishedBefore(89);
  expect(await due()).toEqual([]);
  await publishedBefore(92);
  expect((await due()).toSorted()).toEqual(
    all.rows
      .map(({ id }) => id)
      .filter((id) => id !== "lesson-1-2")
      .toSorted(),
  );
  const count = all.rows.length - 1;
  expect((await admin.call(getMorning)).body.reviews).toBe(count);
  expect((await admin.call(getWaiting)).body.reviews).toBe(count);
  await academy.pool.query("update lessons set verified_at = now() - interval '91 days' where id = 'lesson-1-2'");
  expect((await due()).at(-1)).toBe("lesson-1-2");
});

test("students read when a lesson was checked, which publishing keeps and an undo takes back", async () => {
  const checked = (await list({ show: "all" })).rows.find(({ id }) => id === "lesson-1-2");
  expect(checked?.verifiedBy).toBe("Ruth Okafor");
  await check("lesson-1-2");
  const shown = (await onPages("lesson-1-2"))?.verifiedAt ?? "";
  expect(Math.abs(Date.parse(shown) - (await academy.now()))).toBeLessThan(60_000);
  expect(await due()).not.toContain("lesson-1-2");

  await publishWith(admin, "lessons", "lesson-1-2", { title: "Another title" });
  expect((await onPages("lesson-1-2"))?.verifiedAt).toBe(shown);

  expect((await check("lesson-1-2", { verifiedAt: checked?.verifiedAt })).status).toBe(200);
  expect((await onPages("lesson-1-2"))?.verifiedAt).toBe(checked?.verifiedAt);
  const [undone, before] = (await admin.call(listAudit)).body.rows;
  expect(undone).toMatchObject({ action: "undo check of lesson", subject: "lesson-1-2" });
  expect(undone?.after).toEqual({ verifiedAt: checked?.verifiedAt });
  expect(before?.action).toBe("publish lesson");
});

test("a time that has not come and an unknown lesson are refused", async () => {
  const tomorrow = new Date((await academy.now()) + 86_400_000).toISOString();
  expect((await check("lesson-1-1", { verifiedAt: tomorrow })).status).toBe(400);
  expect((await check("lesson-9-9")).status).toBe(404);
  expect((await check("lesson-1-1", { verifiedAt: null })).status).toBe(200);
});

test("the owner chooses how often, and a hidden lesson is not due", async () => {
  await publishWith(admin, "lessons", "lesson-1-3", { released: false });
  expect(await due()).not.toContain("lesson-1-3");
  await changeSettings(admin, { reviewEveryDays: 3650 });
  await publish(admin);
  expect(await due()).toEqual([]);
});
