import { expect } from "vitest";
import { getCoaching, getSlots } from "#contract/coaching/coaching.ts";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { getReceipt, listPayments } from "#contract/purchases/receipts.ts";
import { publishWith } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();

const page = async (path: string) => (await academy.visitor().send("GET", path)).text();
const promiseOf = async (student: Visitor) => (await student.call(getCoaching)).body.allowance?.promise;
const receiptOf = async (student: Visitor) => {
  const [payment] = (await student.call(listPayments)).body;
  return (await student.call(getReceipt, { params: { id: payment?.receiptId ?? "" } })).body.coaching;
};

/** Publishes Lifetime Access with another promise. */
async function sell(coaching: CoachingPromise): Promise<void> {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  await publishWith(admin, "plans", "vip_lifetime", { coaching });
}

test("a plan's sessions are on its card, in terms, receipt, email and allowance of its buyers alone", async () => {
  const before = await academy.buyer("vip");
  const old = "one session of 30 minutes every 30 days";
  expect(await receiptOf(before)).toBe(old);
  for (const path of ["/", "/terms-of-service"]) expect(await page(path)).toContain(old);

  const coaching = { sessions: 2, everyDays: 14, minutes: 45 };
  await sell(coaching);

  const now = "2 sessions of 45 minutes every 14 days";
  for (const path of ["/", "/terms-of-service"]) {
    const html = await page(path);
    expect(html).toContain(now);
    expect(html).not.toContain(old);
  }
  const buyer = await academy.buyer("vip");
  expect(await receiptOf(buyer)).toBe(now);
  expect(await promiseOf(buyer)).toEqual(coaching);
  expect((await buyer.call(getSlots)).body.minutes).toBe(45);
  await until(async () =>
    (await academy.mails(buyer.email)).some(({ text }) => text.includes(`Your plan includes 1-on-1 coaching: ${now}`)),
  );

  expect(await receiptOf(before)).toBe(old);
  expect(await promiseOf(before)).toEqual({ sessions: 1, everyDays: 30, minutes: 30 });
  expect((await before.call(getSlots)).body.minutes).toBe(30);
});

test("a plan that changes while a payment is being confirmed keeps what it promised", async () => {
  const promised = { sessions: 3, everyDays: 30, minutes: 30 };
  await sell(promised);
  const student = await academy.visitor().signUp();
  await academy.nextChargesOf(student, "hold");
  const { body } = await student.buy("vip");
  expect(body).toMatchObject({ status: "pending" });
  await sell({ ...promised, sessions: 0 });
  await academy.decide((await academy.transactionsOf(body.purchaseId))[0]?.transId, "approve");
  await academy.advance("1h");
  expect(await receiptOf(student)).toBe("3 sessions of 30 minutes every 30 days");
  expect(await promiseOf(student)).toEqual(promised);
});
