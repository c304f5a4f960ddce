import { afterEach, expect } from "vitest";
import { listAllPurchases, recordDispute } from "#contract/admin/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { resumeOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveBehind } from "#test/stop-renewals.ts";

const { academy, administrator, test } = await academyOfFile();
const { pool } = academy;
const { compare, open, repair, detailOf, preview, refund } = booksOf(administrator);

afterEach(async () => {
  await academy.tellReference("told");
  await leaveBehind(academy);
});

/** Moves the clock, and signs the administrator in again. */
async function pass(...durations: string[]): Promise<void> {
  for (const duration of durations) await academy.advance(duration);
  await administrator.signInAgain();
}

const statesOf = (rows: { state: string }[]) => rows.map(({ state }) => state);

test("a part that twenty clicks ask for goes back once, and another part can follow [P20]", async () => {
  const { purchaseId } = await academy.purchase("premium");
  await pass("1d");
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(purchaseId, { amount: 10 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect(await refund(purchaseId, { amount: 10 })).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await refund(purchaseId, { amount: 20 })).status).toBe(200);
  await pass("3m");
  expect((await refund(purchaseId, { amount: 10 })).status).toBe(200);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "40.00", status: "completed" });
});

test("a refund needs no reason for seven days and one afterwards; a part waits for the settlement, the whole is voided [P19 P21]", async () => {
  const [early, late] = [await academy.purchase("premium"), await academy.purchase("vip")];
  await pass("1m");
  const unsettled = await academy.purchase("basic");
  const ask = (purchaseId: string, more: { amount?: number; reason?: string } = {}) =>
    refund(purchaseId, { reason: undefined, ...more });
  expect(await ask(unsettled.purchaseId, { amount: 10 })).toMatchObject({ status: 409 });
  expect(await ask(unsettled.purchaseId)).toMatchObject({ status: 200 });
  const { refunds } = await detailOf(unsettled.purchaseId);
  expect(refunds).toMatchObject([{ kind: "void", state: "returned" }]);

  await pass("6d23h");
  expect(await ask(early.purchaseId)).toMatchObject({ status: 200 });
  expect((await detailOf(early.purchaseId)).refunds).toMatchObject([{ kind: "refund", state: "returned" }]);
  await pass("1h");
  const refused = await ask(late.purchaseId);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain("Enter a reason");
  expect((await detailOf(late.purchaseId)).refunds).toEqual([]);
  expect(await ask(late.purchaseId, { reason: "promised by phone" })).toMatchObject({ status: 200 });
});

test("a refund of a payment that is too old for the gateway says so", async () => {
  const { purchaseId } = await academy.purchase("vip");
  await pass("125d");
  const answer = await refund(purchaseId, { amount: 10 });
  expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining("more than 120 days ago") } });
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "0.00", status: "completed" });
});

test("a renewal waits for a refund whose outcome is not known, and follows when nothing was returned", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("29d23h55m");
  await academy.nextChargesOf(student, "error-500");
  expect((await refund(purchaseId)).body).toMatchObject({ state: "unknown" });
  await pass("10m");
  expect(statesOf((await detailOf(purchaseId)).attempts)).toEqual(["approved"]);
  await pass("25m", "5m");
  const { refunds, attempts, purchase } = await detailOf(purchaseId);
  expect(statesOf(refunds)).toEqual(["refused"]);
  expect(statesOf(attempts)).toEqual(["approved", "approved"]);
  expect(purchase).toMatchObject({ status: "completed", subscriptionStatus: "active" });
});

/** Decides, as the merchant at the gateway, about the held refund of a purchase. */
async function decide(purchaseId: string, decision: "approve" | "decline"): Promise<void> {
  const [charge] = await academy.chargesOf(purchaseId);
  const held = (await academy.ledger()).find(({ refTransId }) => refTransId === charge?.transId);
  await academy.decide(held?.transId, decision);
}

test("a refund that the gateway holds for review says so, is not sent again, and is made once it is approved there [P22]", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "hold");
  const asked = await refund(purchaseId, { amount: 55 });
  expect(asked).toMatchObject({ status: 200, body: { state: "held", message: expect.stringContaining("decide") } });
  await pass("1m", "1d");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["held"]);
  expect(await refund(purchaseId, { amount: 55 })).toMatchObject({
    status: 409,
    body: { code: "payment-in-progress" },
  });
  await decide(purchaseId, "approve");
  await pass("1h");
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "55.00" });
  expect(await refundsAtGateway(5500)).toHaveLength(1);
});

test("a refund that nobody could clear up is a person's after a day, who says that it was not made [P22]", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "error:11");
  expect((await refund(purchaseId, { amount: 77 })).body).toMatchObject({ state: "unknown" });
  await pass("4d");
  const [found] = await open(purchaseId);
  expect(found).toMatchObject({ kind: "refund-unresolved", expected: "77.00" });
  expect((await repair(found?.id, "give-up-refund")).status).toBe(200);
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["refused"]);
  expect((await refund(purchaseId, { amount: 77 })).body).toMatchObject({ state: "returned" });
});

test("a held refund whose answer was lost is found held, and one that is declined can be made again [P22]", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "hold");
  await refund(purchaseId, { amount: 66 });
  const lost = "update refunds set cause = null, transaction_id = null where purchase_id = $1";
  await pool.query(lost, [purchaseId]);
  await pass("1m", "40m");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["held"]);
  await decide(purchaseId, "decline");
  await pass("1h");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["refused"]);
  await pass("1d");
  expect((await refund(purchaseId, { amount: 66 })).body).toMatchObject({ state: "returned" });
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "66.00" });
});

const refundsAtGateway = async (cents: number) =>
  (await academy.ledger()).filter((row) => row.type === "refundTransaction" && Number(row.amount) * 100 === cents);

test("a refund and a void whose answers are lost are found where reports never tell references [P36]", async () => {
  await academy.tellReference("absent");
  const { student: buyer, purchaseId: settled } = await academy.purchase("premium");
  await pass("1d");
  const { student: other, purchaseId: fresh } = await academy.purchase("vip");
  await academy.nextChargesOf(buyer, "reset-after");
  await academy.nextChargesOf(other, "reset-after");
  expect((await refund(settled, { amount: 33 })).body).toMatchObject({ state: "unknown" });
  expect((await refund(fresh)).body).toMatchObject({ state: "unknown" });
  await pass("1m");
  expect((await detailOf(settled)).purchase).toMatchObject({ refundedAmount: "33.00" });
  expect((await detailOf(fresh)).purchase).toMatchObject({ status: "refunded" });
  // The same amount again is a second refund, and no duplicate of the first.
  await pass("3m");
  expect((await refund(settled, { amount: 33 })).body).toMatchObject({ state: "returned" });
  expect(await refundsAtGateway(3300)).toHaveLength(2);
});

test("a refund with another reference waits for a person, who records it [P36]", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  await pass("1d");
  await academy.tellReference("other");
  await academy.nextChargesOf(student, "reset-after");
  expect((await refund(purchaseId, { amount: 44 })).body).toMatchObject({ state: "unknown" });
  await pass("1m", "3h");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["unknown"]);
  expect((await refund(purchaseId, { amount: 44 })).status).toBe(409);
  const [found] = await open(purchaseId);
  expect(found).toMatchObject({ kind: "refund-reference-differs", expected: "44.00", found: "44.00" });
  expect((await repair(found?.id)).status).toBe(200);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "44.00" });
  expect(await refundsAtGateway(4400)).toHaveLength(1);
});

const day = 86_400_000;

/** Refunds all of the newest charge, and leaves the course open until the paid end. */
async function refundAndKeep(purchaseId: string) {
  return refund(purchaseId, { keepAccessUntil: (await preview(purchaseId)).mayKeepAccessUntil ?? undefined });
}

/** Students whose Monthly Access was renewed once, with its first charge. */
async function renewed(count: number) {
  const bought = await Promise.all(Array.from({ length: count }, () => academy.purchase("basic")));
  await pass("30d1h");
  return Promise.all(
    bought.map(async ({ student, purchaseId }) => {
      const [, first] = (await preview(purchaseId)).charges;
      return { student: await student.signInAgain(), purchaseId, first: first?.id ?? "" };
    }),
  );
}

test("a refund can keep the course open until the paid end, at which only who resumes it is charged", async () => {
  const [{ student, purchaseId }, resumed] = [await academy.purchase("basic"), await academy.purchase("basic")];
  await pass("1d");
  const { until } = await student.access();
  const ended = { endsAccess: true, mayKeepAccessUntil: until };
  expect(await preview(purchaseId)).toMatchObject({ ...ended, accessAfter: { tier: null } });
  const kept = { endsAccess: false, stopsRenewal: true, accessAfter: { tier: "basic", until } };
  expect(await preview(purchaseId, { keepAccessUntil: until ?? "" })).toMatchObject(kept);
  expect(await preview(purchaseId, { keepAccessUntil: "2026-01-01T00:00:00.000Z" })).toMatchObject(ended);

  expect((await refundAndKeep(purchaseId)).body).toMatchObject({ state: "returned", amount: "49.00" });
  const { purchase, refunds } = await detailOf(purchaseId);
  expect(purchase).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled", nextBillingDate: null });
  expect(refunds).toMatchObject([{ endsAccess: false, accessKeptUntil: until }]);
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "basic", until });
  const { text } = await academy.mailTo(student, "Your refund of $49.00");
  expect(text).toContain("You still have Monthly Access until");
  expect(text).toContain("It won't renew, and you won't be charged again.");
  expect(await compare(purchaseId)).toEqual([]);
  expect((await refundAndKeep(resumed.purchaseId)).status).toBe(200);
  expect((await resumed.student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);

  await pass("30d");
  await student.signInAgain();
  expect((await student.access()).hasAccess).toBe(false);
  expect(statesOf((await detailOf(purchaseId)).attempts)).toEqual(["approved"]);
  const again = await detailOf(resumed.purchaseId);
  expect(statesOf(again.attempts)).toEqual(["approved", "approved"]);
  const completed = { status: "completed", refundedAmount: "49.00", subscriptionStatus: "active" };
  expect(again.purchase).toMatchObject(completed);
  expect(await compare(purchaseId, resumed.purchaseId)).toEqual([]);
});

test("a dispute of a refunded charge ends the course that its refund left open", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("1d");
  expect((await refundAndKeep(purchaseId)).status).toBe(200);
  const dispute = () => administrator.call(recordDispute, { body: { purchaseId, reason: "letter of the bank" } });
  expect((await dispute()).status).toBe(200);
  expect((await (await student.signInAgain()).access()).hasAccess).toBe(false);
  expect((await dispute()).status).toBe(409);
});

test("access is kept only until the paid end, for all of the newest charge, and never for a lifetime", async () => {
  const [lifetime, annual] = [await academy.purchase("vip"), await academy.purchase("premium")];
  const [{ purchaseId, first } = expect.unreachable()] = await renewed(1);
  const end = (await preview(purchaseId)).mayKeepAccessUntil ?? "";
  const later = new Date(Date.parse(end) + day).toISOString();
  expect((await preview(lifetime.purchaseId)).mayKeepAccessUntil).toBeNull();
  expect((await refund(lifetime.purchaseId, { keepAccessUntil: end })).status).toBe(409);
  expect((await refund(purchaseId, { keepAccessUntil: later })).status).toBe(409);
  expect((await refund(purchaseId, { keepAccessUntil: end, chargeId: first })).status).toBe(409);
  const yearEnd = (await preview(annual.purchaseId)).mayKeepAccessUntil ?? "";
  expect((await refund(annual.purchaseId, { keepAccessUntil: yearEnd, amount: 10 })).status).toBe(409);
  expect((await refund(annual.purchaseId, { keepAccessUntil: yearEnd, endAccess: true })).status).toBe(400);
  for (const of of [lifetime.purchaseId, annual.purchaseId, purchaseId]) {
    expect((await detailOf(of)).purchase).toMatchObject({ status: "completed", refundedAmount: "0.00" });
  }
});

test("a purchase stays completed while a charge is kept, and is refunded when all went back", async () => {
  const listed = async (search: string, status: "completed" | "refunded") =>
    (await administrator.call(listAllPurchases, { query: { search, status } })).body.length;
  for (const [at, { student, purchaseId, first }] of (await renewed(2)).entries()) {
    const isKept = at === 1;
    expect((await (isKept ? refundAndKeep(purchaseId) : refund(purchaseId))).status).toBe(200);
    const partly = { status: "completed", refundedAmount: "49.00", subscriptionStatus: "cancelled" };
    expect((await detailOf(purchaseId)).purchase).toMatchObject(partly);
    expect((await student.access()).hasAccess).toBe(isKept);
    expect([await listed(student.email, "completed"), await listed(student.email, "refunded")]).toEqual([1, 0]);
    expect(await compare(purchaseId)).toEqual([]);

    expect((await refund(purchaseId, { chargeId: first })).status).toBe(200);
    expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "refunded", refundedAmount: "98.00" });
    expect((await student.access()).hasAccess).toBe(isKept);
    expect([await listed(student.email, "completed"), await listed(student.email, "refunded")]).toEqual([0, 1]);
    expect(await compare(purchaseId)).toEqual([]);
  }
});

test("a part that ends the access leaves the purchase completed, and gives no upgrade credit", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  await pass("1d");
  await student.signInAgain();
  expect((await refund(purchaseId, { amount: 100, endAccess: true })).status).toBe(200);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "100.00" });
  expect((await student.access()).hasAccess).toBe(false);
  const quote = await student.call(createQuote, { body: { tier: "vip", priceId: "vip_lifetime" } });
  expect(quote.body.total).toBe(1497);
  expect(await compare(purchaseId)).toEqual([]);
});

test("an upgrade that is kept open after its refund gives no credit and brings no days back", async () => {
  const { student, purchaseId: monthly } = await academy.purchase("basic");
  await pass("1d");
  await student.signInAgain();
  const { body: bought } = await student.buyQuoted("premium");
  await pass("1d");
  await student.signInAgain();
  expect((await preview(bought.purchaseId)).goesBackToo).toMatchObject([{ amount: "49.00" }]);
  expect((await refundAndKeep(bought.purchaseId)).body).toMatchObject({ state: "returned", isPartial: false });
  for (const purchaseId of [monthly, bought.purchaseId]) {
    expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "refunded" });
    expect(await compare(purchaseId)).toEqual([]);
  }
  expect(await student.access()).toMatchObject({ tier: "premium", source: "purchase" });
  const quote = await student.call(createQuote, { body: { tier: "vip", priceId: "vip_lifetime" } });
  expect(quote.body.total).toBe(1497);
});

test("a refund that is to keep the course open changes nothing before its outcome is known", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("1d");
  await academy.nextChargesOf(student, "reset-after");
  expect((await refundAndKeep(purchaseId)).body).toMatchObject({ state: "unknown" });
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "completed", subscriptionStatus: "active" });
  await pass("1m");
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled" });
  expect((await student.access()).hasAccess).toBe(true);
});
