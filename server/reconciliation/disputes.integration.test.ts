import { afterAll, beforeAll, expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { getPurchaseDetail, previewRefund, recordDispute, refundPurchase } from "#contract/admin/purchases.ts";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import type { Tier } from "#contract/tiers.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { openGatewayProxy } from "#test/stand-ins/gateway-proxy.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let administrator: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  await signIn();
});
afterAll(() => academy[Symbol.asyncDispose]());

/** Signs the administrator in again: sessions expire as the clock moves, and refunds need a recent sign-in. */
async function signIn(): Promise<void> {
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
}

async function pass(duration: string): Promise<void> {
  await academy.advance(duration);
  await signIn();
}

async function buy(tier: Tier = "premium") {
  const buyer = await academy.visitor().signUp();
  const answer = await buyer.call(acceptPayment, { body: await buyer.paymentFor(tier) });
  expect(answer.status).toBe(200);
  return { buyer, purchaseId: answer.body.purchaseId, transactionId: answer.body.transactionId ?? "" };
}

async function stage(transId: string, as: string): Promise<void> {
  const response = await fetch(`${academy.url}/sandbox/api/gateway/stage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ transId, as }),
  });
  expect(response.ok, await response.text()).toBe(true);
}

const compare = () => administrator.call(runReconciliation, { body: {} });
const openOnes = async () =>
  (await administrator.call(getReconciliation)).body.discrepancies.filter(({ resolvedAt }) => !resolvedAt);
const openAbout = async (purchaseId: string) => (await openOnes()).filter((one) => one.purchaseId === purchaseId);
const repair = async (purchaseId: string, action?: string) => {
  const [found] = await openAbout(purchaseId);
  return administrator.call(repairDiscrepancy, { body: { discrepancyId: found?.id ?? "", action, reason: "a test" } });
};
const refund = (purchaseId: string, more: object = {}) =>
  administrator.call(refundPurchase, { body: { purchaseId, reason: "a test", ...more } });
const accessOf = async (buyer: Visitor) => (await (await buyer.signInAgain()).call(getCourseAccess)).body;
const revenue = async () => (await administrator.call(getStats)).body.totalRevenue;
const newest = async (buyer: Visitor) => (await (await buyer.signInAgain()).call(listUserPurchases)).body[0];
const refundsOf = async (charge: string) =>
  (await academy.ledger()).filter(({ type, refTransId }) => type === "refundTransaction" && refTransId === charge);
/** Moves to the settlement, and reconciles. */
async function failRefundOf(transactionId: string): Promise<void> {
  const [made] = await refundsOf(transactionId);
  await stage(made?.transId ?? "", "settlementError");
  await compare();
}
const subjectsTo = async (buyer: Visitor) =>
  (await academy.mails()).filter(({ to }) => to === buyer.email).map(({ subject }) => subject);

test.each(["20d", "90d"])(
  "a chargeback after %s is listed by itself within a week, and repaired [P39]",
  async (age) => {
    const { buyer, purchaseId, transactionId } = await buy();
    await pass(age);
    await stage(transactionId, "chargeback");
    await pass("8d");
    expect(await openAbout(purchaseId)).toMatchObject([{ kind: "disputed", transactionId, expected: "397.00" }]);
    const before = await revenue();
    expect((await repair(purchaseId)).status).toBe(200);
    expect(await revenue()).toBe(before - 397);
    expect((await accessOf(buyer)).hasAccess).toBe(false);
    await compare();
    expect(await openAbout(purchaseId)).toEqual([]);
  },
);

test("a chargeback of a charge that was refunded before takes no more off the revenue, and its repair says what to do", async () => {
  const { purchaseId, transactionId } = await buy();
  await pass("2d");
  expect((await refund(purchaseId)).status).toBe(200);
  const before = await revenue();
  await stage(transactionId, "chargeback");
  await compare();
  const [{ id } = { id: "" }] = await openAbout(purchaseId);
  expect((await repair(purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before);
  const { discrepancies } = (await administrator.call(getReconciliation)).body;
  expect(discrepancies.find((one) => one.id === id)).toMatchObject({
    kind: "disputed",
    resolution: "All of it went back before; nothing to record. Contest the chargeback by showing the bank the refund",
  });
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a chargeback of an old charge is listed at once when the books are compared by hand [P39]", async () => {
  const { purchaseId, transactionId } = await buy();
  await pass("20d");
  await stage(transactionId, "chargeback");
  await compare();
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "disputed" }]);
  await repair(purchaseId);
});

test("a charge that the gateway describes in a new way keeps no other from being asked about [P39]", async () => {
  await using sandbox = await openSandboxProcess();
  await using between = await openGatewayProxy(sandbox.url);
  await using other = await openAcademyInProcess(between.env);
  const buyAt = async () => {
    const buyer = await other.visitor().signUp();
    const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
    return { purchaseId: body.purchaseId, transactionId: body.transactionId ?? "" };
  };
  const unreadable = await buyAt();
  const disputed = await buyAt();
  await other.advance("20d");
  const staged = JSON.stringify({ transId: disputed.transactionId, as: "chargeback" });
  const headers = { "content-type": "application/json" };
  await fetch(`${sandbox.url}/sandbox/api/gateway/stage`, { method: "POST", headers, body: staged });
  const newStatus = { transId: unreadable.transactionId, transactionStatus: "foreverPending", authAmount: 397 };
  between.answering(({ transId }) =>
    transId === unreadable.transactionId
      ? { transaction: newStatus, messages: { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] } }
      : null,
  );
  const comparing = await other.visitor().signInAsDemo("admin@academy.test");
  const { body } = await comparing.call(runReconciliation, { body: {} });
  expect(body.lastError).toBeNull();
  const found = body.discrepancies.filter(({ purchaseId }) => purchaseId === disputed.purchaseId);
  expect(found).toMatchObject([{ kind: "disputed" }]);
});

test("a dispute that was won after its money was written off gives money and access back [P39]", async () => {
  const { buyer, purchaseId, transactionId } = await buy();
  await pass("1d");
  await stage(transactionId, "chargeback");
  await compare();
  await repair(purchaseId);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  await pass("20d");
  await stage(transactionId, "chargebackReversal");
  await pass("8d");
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "dispute-won", expected: "397.00" }]);
  const before = await revenue();
  expect((await repair(purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before + 397);
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "premium" });
  expect(await newest(buyer)).toMatchObject({ status: "completed" });
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a refund that fails is listed, and is paid back once by its action [P39]", async () => {
  const { buyer, purchaseId, transactionId } = await buy("vip");
  await pass("1d");
  const before = await revenue();
  expect((await refund(purchaseId)).status).toBe(200);
  await failRefundOf(transactionId);
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "refund-failed", expected: "1497.00" }]);
  const [found] = await openAbout(purchaseId);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      administrator.call(repairDiscrepancy, { body: { discrepancyId: found?.id, reason: "a test" } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refunds = await refundsOf(transactionId);
  expect(refunds.map(({ status }) => status).sort()).toEqual(["refundPendingSettlement", "settlementError"]);
  expect(await revenue()).toBe(before - 1497);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a refund that failed and whose second try was never made either is listed again [P39]", async () => {
  const { buyer, purchaseId, transactionId } = await buy("vip");
  await pass("1d");
  expect((await refund(purchaseId, { amount: 10 })).status).toBe(200);
  await failRefundOf(transactionId);
  await academy.nextChargesOf(buyer, "error-500");
  expect((await repair(purchaseId)).status).toBe(200);
  expect(await openAbout(purchaseId)).toEqual([]);
  await pass("1h");
  await pass("1h");
  await compare();
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "refund-failed", expected: "10.00" }]);
  expect((await repair(purchaseId)).status).toBe(200);
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
  const back = await refundsOf(transactionId);
  expect(back.map(({ status }) => status).sort()).toEqual(["refundPendingSettlement", "settlementError"]);
});

test("a refund that fails weeks later is listed, and the payment can be kept and the access opened [P39]", async () => {
  const { buyer, purchaseId, transactionId } = await buy("vip");
  await pass("1d");
  await refund(purchaseId);
  const [made] = await refundsOf(transactionId);
  await pass("20d");
  await stage(made?.transId ?? "", "settlementError");
  await pass("8d");
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "refund-failed" }]);
  const before = await revenue();
  expect((await repair(purchaseId, "take-back")).status).toBe(200);
  expect(await revenue()).toBe(before + 1497);
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "vip", until: null });
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a year that was to follow one that is paid back begins then, and no day is lost when that refund fails", async () => {
  const { buyer, purchaseId, transactionId } = await buy();
  await academy.advance("3m");
  const second = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  await pass("10d");
  const daysTo = async (until: string | null) => (Date.parse(until ?? "") - (await academy.now())) / 86_400_000;
  const { accessAfter } = (await administrator.call(previewRefund, { params: { purchaseId }, query: {} })).body;
  expect(accessAfter).toMatchObject({ tier: "premium" });
  expect(await daysTo(accessAfter.until)).toBeCloseTo(365, 1);
  expect((await refund(purchaseId)).status).toBe(200);
  expect(await accessOf(buyer)).toMatchObject({ tier: "premium" });
  expect(await daysTo((await accessOf(buyer)).until)).toBeCloseTo(365, 1);

  await failRefundOf(transactionId);
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "refund-failed" }]);
  expect((await repair(purchaseId, "take-back")).status).toBe(200);
  expect(await daysTo((await accessOf(buyer)).until)).toBeCloseTo(2 * 365 - 10, 1);
  await pass("361d");
  expect(await accessOf(buyer)).toMatchObject({ tier: "premium" });
  await compare();
  expect([...(await openAbout(purchaseId)), ...(await openAbout(second.body.purchaseId))]).toEqual([]);
});

test("days that came back with an upgrade's refund are open again when the refund of their own payment fails", async () => {
  const { buyer, purchaseId, transactionId } = await buy();
  const upgrade = await buyer.call(acceptPayment, { body: await buyer.quotedPaymentFor("vip") });
  await pass("8d");
  expect((await refund(upgrade.body.purchaseId)).status).toBe(200);
  expect((await refund(purchaseId)).status).toBe(200);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  await failRefundOf(transactionId);
  expect((await repair(purchaseId, "take-back")).status).toBe(200);
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "premium" });
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("days that came back and began earlier since end again when the refund that gave them back fails", async () => {
  const { buyer } = await buy("basic");
  await pass("10d");
  await buyer.signInAgain();
  const upgrade = await buyer.call(acceptPayment, { body: await buyer.quotedPaymentFor("premium") });
  await pass("3m");
  await buyer.signInAgain();
  const second = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  await pass("1d");
  expect((await refund(upgrade.body.purchaseId)).status).toBe(200);
  expect((await refund(second.body.purchaseId)).status).toBe(200);
  expect(await accessOf(buyer)).toMatchObject({ tier: "basic", source: "credit-returned" });
  await failRefundOf(upgrade.body.transactionId ?? "");
  expect((await repair(upgrade.body.purchaseId, "take-back")).status).toBe(200);
  expect(await accessOf(buyer)).toMatchObject({ tier: "premium" });
  // They are part of that year's credit again, and have no value of their own.
  const { body } = await buyer.call(createQuote, { body: { tier: "vip", priceId: "vip_lifetime" } });
  expect(body.lines.map(({ label }) => label)).toEqual(["Lifetime Access", expect.stringContaining("Annual Access")]);
});

test("a refund that is missing at the gateway and a void that settled all the same are listed and paid back", async () => {
  const missing = await buy("vip");
  await pass("1d");
  await refund(missing.purchaseId);
  const [made] = await refundsOf(missing.transactionId);
  await stage(made?.transId ?? "", "missing");
  const voided = await buy();
  const before = await revenue();
  await refund(voided.purchaseId);
  expect((await academy.ledger()).find(({ transId }) => transId === voided.transactionId)?.status).toBe("voided");
  await stage(voided.transactionId, "settledAnyway");
  await compare();
  expect(await openAbout(missing.purchaseId)).toMatchObject([{ kind: "refund-missing", expected: "1497.00" }]);
  expect(await openAbout(voided.purchaseId)).toMatchObject([{ kind: "void-settled", expected: "397.00" }]);
  expect((await repair(missing.purchaseId)).status).toBe(200);
  expect((await repair(voided.purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before - 397);
  await compare();
  expect(await openAbout(missing.purchaseId)).toEqual([]);
  expect(await openAbout(voided.purchaseId)).toEqual([]);
});

test("a credit that nobody linked is listed, and linked to the charge that is named", async () => {
  const { buyer, purchaseId, transactionId } = await buy();
  await pass("1d");
  await stage(transactionId, "unlinkedCredit");
  await compare();
  const found = (await openOnes()).find(({ kind }) => kind === "credit-unlinked");
  expect(found).toMatchObject({ found: "397.00", purchaseId: null });
  const link = (charge?: string) =>
    administrator.call(repairDiscrepancy, {
      body: { discrepancyId: found?.id, action: "link-credit", charge, reason: "a test" },
    });
  expect((await link()).status).toBe(409);
  expect(await link("123")).toMatchObject({
    status: 409,
    body: { errors: { charge: ["Name the transaction of a charge that was paid."] } },
  });
  const before = await revenue();
  expect((await link(transactionId)).status).toBe(200);
  expect(await revenue()).toBe(before - 397);
  expect(await newest(buyer)).toMatchObject({ status: "refunded" });
  await compare();
  expect((await openOnes()).filter(({ kind }) => kind === "credit-unlinked")).toEqual([]);
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("any charge of a subscription is paid back, once, and an older one leaves the period that runs", async () => {
  const { buyer, purchaseId } = await buy("basic");
  await pass("30d");
  await pass("30d");
  const preview = async (query: Record<string, string> = {}) =>
    (await administrator.call(previewRefund, { params: { purchaseId }, query })).body;
  const { charges, chargeId } = await preview();
  expect(charges.map(({ kind, paid }) => [kind, paid])).toEqual([
    ["renewal", "49.00"],
    ["renewal", "49.00"],
    ["initial", "49.00"],
  ]);
  expect(chargeId).toBe(charges[0]?.id);
  const oldest = charges[2]?.id ?? "";
  expect(await preview({ chargeId: oldest })).toMatchObject({ endsAccess: false, mayEndAccess: true, kind: "refund" });
  expect(await preview({ chargeId: oldest, endAccess: "true" })).toMatchObject({ endsAccess: true });

  expect((await refund(purchaseId, { chargeId: oldest, amount: 49.01 })).status).toBe(409);
  expect((await refund(purchaseId, { chargeId: "00000000000000000000" })).status).toBe(404);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(purchaseId, { chargeId: oldest })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const detail = (await administrator.call(getPurchaseDetail, { params: { purchaseId } })).body;
  expect(detail.refunds.filter(({ state }) => state === "returned")).toMatchObject([
    { attemptId: oldest, amount: "49.00", endsAccess: false },
  ]);
  expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "basic" });
  expect(await newest(buyer)).toMatchObject({ status: "completed", subscriptionStatus: "active" });

  const middle = charges[1]?.id ?? "";
  expect((await refund(purchaseId, { chargeId: middle, endAccess: true })).status).toBe(200);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  expect(await newest(buyer)).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled" });
  // What is left of the newest one can still be refunded.
  expect((await refund(purchaseId)).status).toBe(200);
  expect((await refund(purchaseId)).status).toBe(409);
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a dispute is recorded by hand with its reason, and is not taken for won when the gateway shows nothing", async () => {
  const { buyer, purchaseId } = await buy("basic");
  await pass("1d");
  const before = await revenue();
  const record = (body: object) => administrator.call(recordDispute, { body: { purchaseId, ...body } });
  expect((await record({ reason: " " })).status).toBe(400);
  expect((await record({ reason: "letter of the bank of today" })).status).toBe(200);
  expect((await record({ reason: "once more" })).status).toBe(409);
  expect(await revenue()).toBe(before - 49);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  expect(await newest(buyer)).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled" });
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
  await until(async () => (await subjectsTo(buyer)).includes("Your Monthly Access has ended"));
});

test("what the gateway thought better of before anybody acted takes no money off and ends no access [P34]", async () => {
  const unsettled = await buy();
  await stage(unsettled.transactionId, "settlementError");
  const refunded = await buy();
  await pass("1d");
  const body = JSON.stringify({ transId: refunded.transactionId, as: "refundedElsewhere" });
  await administrator.send("POST", "/sandbox/api/gateway/stage", body);
  await compare();
  expect(await openAbout(unsettled.purchaseId)).toMatchObject([{ kind: "not-settled" }]);
  expect(await openAbout(refunded.purchaseId)).toMatchObject([{ kind: "returned-elsewhere" }]);
  await stage(unsettled.transactionId, "settledAnyway");
  const [made] = await refundsOf(refunded.transactionId);
  await stage(made?.transId ?? "", "settlementError");
  const before = await revenue();
  for (const { buyer, purchaseId } of [unsettled, refunded]) {
    expect((await repair(purchaseId)).status).toBe(200);
    expect(await accessOf(buyer)).toMatchObject({ hasAccess: true, tier: "premium" });
  }
  expect(await revenue()).toBe(before);
});

test("a dispute waits for a renewal that is being confirmed, and then ends what that one opened too [P39]", async () => {
  const { buyer, purchaseId } = await buy("basic");
  await academy.nextChargesOf(buyer, "hold");
  await pass("30d");
  const ledger = await academy.ledger();
  const customer = ledger.find(({ invoiceNumber }) => invoiceNumber === purchaseId)?.customerProfileId;
  const held = ledger.findLast((row) => row.customerProfileId === customer);
  const body = { purchaseId, reason: "letter of the bank of today" };
  const early = await administrator.call(recordDispute, { body });
  expect(early).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  const decided = JSON.stringify({ transId: held?.transId, decision: "approve" });
  await administrator.send("POST", "/sandbox/api/gateway/held", decided);
  await pass("2h");
  expect((await accessOf(buyer)).hasAccess).toBe(true);
  expect((await administrator.call(recordDispute, { body })).status).toBe(200);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a renewal that was never settled ends the access, and the payments before it can still be paid back [P39]", async () => {
  const { buyer, purchaseId, transactionId } = await buy("basic");
  await pass("31d");
  const charges = (await administrator.call(previewRefund, { params: { purchaseId } })).body.charges;
  await stage(charges[0]?.transactionId ?? "", "settlementError");
  await compare();
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "not-settled", expected: "49.00" }]);
  expect((await repair(purchaseId)).status).toBe(200);
  expect((await accessOf(buyer)).hasAccess).toBe(false);
  expect(await newest(buyer)).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled" });
  const before = await revenue();
  expect((await refund(purchaseId, { chargeId: charges[1]?.id })).status).toBe(200);
  expect(await refundsOf(transactionId)).toHaveLength(1);
  expect(await revenue()).toBe(before - 49);
  await compare();
  expect(await openAbout(purchaseId)).toEqual([]);
});

test("a first payment that turns out unpaid after the renewal was paid leaves the course open, and its mail says so", async () => {
  const { buyer, purchaseId, transactionId } = await buy("basic");
  await pass("31d");
  await stage(transactionId, "settlementError");
  await compare();
  expect(await openAbout(purchaseId)).toMatchObject([{ kind: "not-settled", expected: "49.00" }]);
  expect((await repair(purchaseId)).status).toBe(200);
  expect((await accessOf(buyer)).hasAccess).toBe(true);
  const [mail] = await until(async () => {
    const told = (await academy.mails()).filter(
      ({ to, text }) => to === buyer.email && text.includes("never reached us"),
    );
    return told.length > 0 && told;
  });
  expect(mail?.subject).toBe("A payment for your Monthly Access was reversed");
  expect(mail?.text).toContain("The course stays open: Monthly Access until ");
});
