import { afterAll, beforeAll, expect, test } from "vitest";
import { draftPlan, getContent, publishContent } from "#contract/admin/content.ts";
import { getCoaching, getSlots } from "#contract/coaching/coaching.ts";
import { getReceipt, listPayments } from "#contract/purchases/receipts.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { lifetimeStudent } from "#test/coaching.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy[Symbol.asyncDispose]());

const page = async (path: string) => (await academy.visitor().send("GET", path)).text();
const promiseOf = async (student: Visitor) => (await student.call(getCoaching)).body.allowance?.promise;
const receiptOf = async (student: Visitor) => {
  const [payment] = (await student.call(listPayments)).body;
  return (await student.call(getReceipt, { params: { id: payment?.receiptId ?? "" } })).body.coaching;
};

test("the number of the plan is on its card, in the terms, receipt, email and allowance; who bought before keeps theirs", async () => {
  const before = await lifetimeStudent(academy);
  const old = "one session of 30 minutes every 30 days";
  expect(await receiptOf(before)).toBe(old);
  for (const path of ["/", "/terms-of-service"]) expect(await page(path)).toContain(old);

  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const plan = (await admin.call(getContent)).body.plans.find(({ id }) => id === "vip_lifetime")?.published;
  const coaching = { sessions: 2, everyDays: 14, minutes: 45 };
  const { position: _, ...text } = { position: 0, ...plan };
  const drafted = await admin.call(draftPlan, { params: { id: "vip_lifetime" }, body: { ...text, coaching } });
  expect(drafted.status).toBe(200);
  expect((await admin.call(publishContent, { body: {} })).status).toBe(200);

  const now = "2 sessions of 45 minutes every 14 days";
  for (const path of ["/", "/terms-of-service"]) {
    const html = await page(path);
    expect(html).toContain(now);
    expect(html).not.toContain(old);
  }
  const buyer = await lifetimeStudent(academy);
  expect(await receiptOf(buyer)).toBe(now);
  expect(await promiseOf(buyer)).toEqual(coaching);
  expect((await buyer.call(getSlots)).body.minutes).toBe(45);
  const [mail] = await until(async () => {
    const mails = (await academy.mails()).filter(({ to, text: said }) => to === buyer.email && said.includes(now));
    return mails.length > 0 && mails;
  });
  expect(mail?.text).toContain("1-on-1 coaching");

  expect(await receiptOf(before)).toBe(old);
  expect(await promiseOf(before)).toEqual({ sessions: 1, everyDays: 30, minutes: 30 });
  expect((await before.call(getSlots)).body.minutes).toBe(30);
});
