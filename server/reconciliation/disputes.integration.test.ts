import { expect } from "vitest";
import { recordDispute } from "#contract/admin/purchases.ts";
import { getReconciliation, runReconciliation } from "#contract/admin/reconciliation.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { getUserDetail } from "#contract/admin/users.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { openDb } from "#server/db/db.ts";
import { paymentDisputed } from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { openGatewayProxy } from "#test/stand-ins/gateway-proxy.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";
import { recheck } from "./comparison.ts";

const sandbox = await forFile(openSandboxProcess());
const between = await forFile(openGatewayProxy(sandbox.url));
const { academy, administrator, test } = await academyOfFile(between.env);

test.afterEach(() => leaveBehind(academy));

const { compare, open, detailOf, preview, refund, ...books } = booksOf(administrator);

/** Refunds need a recent sign-in. */
const pass = (duration: string) => academy.advance(duration, administrator);

const repair = async (purchaseId: string, action?: string) => books.repair((await open(purchaseId))[0]?.id, action);
const accessOf = async (student: Visitor) => (await student.signInAgain()).access();
const revenue = async () => (await administrator.call(getStats)).body.totalRevenue;
const newest = async (student: Visitor) => (await student.signInAgain()).purchase();
const refundsOf = async (charge: string) =>
  (await academy.ledger()).filter(({ type, refTransId }) => type === "refundTransaction" && refTransId === charge);
const stageRefundOf = async (charge: string, as: string) =>
  academy.stage((await refundsOf(charge))[0]?.transId ?? "", as);
const expectSettled = async (...purchaseIds: string[]) => expect(await compare(...purchaseIds)).toEqual([]);

test("a dispute of a refunded charge stops charges, changes no revenue, and its repair says what to do", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await pass("1d");
  expect((await refund(purchaseId)).status).toBe(200);
  const before = await revenue();
  for (const isOpen of [true, false, true]) {
    await academy.stage(transactionId, isOpen ? "chargeback" : "chargebackReversal");
    expect((await compare(purchaseId)).map(({ kind }) => kind)).toEqual(isOpen ? ["disputed"] : []);
  }
  const { status, body } = await student.buy("vip");
  expect([status, body.message]).toEqual([409, paymentDisputed]);
  const [{ id } = { id: "" }] = await open(purchaseId);
  expect((await repair(purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before);
  const { rows: discrepancies } = (await administrator.call(getReconciliation)).body;
  expect(discrepancies.find((one) => one.id === id)).toMatchObject({
    kind: "disputed",
    resolution:
      "It had already been refunded in full, so nothing was recorded. Contest the chargeback by sending the bank proof of the refund",
  });
  await expectSettled(purchaseId);
});

test("disputes and failed refunds of weeks ago are listed within a week, and repaired [P39]", async () => {
  const old = await academy.purchase("premium");
  await pass("70d");
  const [recent, won, refunded] = [
    await academy.purchase("premium"),
    await academy.purchase("premium"),
    await academy.purchase("vip"),
  ];
  await pass("1d");
  expect((await refund(refunded.purchaseId)).status).toBe(200);
  await academy.stage(won.transactionId, "chargeback");
  await compare();
  expect((await repair(won.purchaseId)).status).toBe(200);
  expect((await accessOf(won.student)).hasAccess).toBe(false);
  await pass("20d");
  for (const { transactionId } of [old, recent]) await academy.stage(transactionId, "chargeback");
  await academy.stage(won.transactionId, "chargebackReversal");
  await stageRefundOf(refunded.transactionId, "settlementError");
  await pass("8d");

  for (const { student, purchaseId, transactionId } of [old, recent]) {
    expect(await open(purchaseId)).toMatchObject([{ kind: "disputed", transactionId, expected: "397.00" }]);
    const before = await revenue();
    expect((await repair(purchaseId)).status).toBe(200);
    expect(await revenue()).toBe(before - 397);
    expect((await accessOf(student)).hasAccess).toBe(false);
  }
  // Money and access are given back.
  expect(await open(won.purchaseId)).toMatchObject([{ kind: "dispute-won", expected: "397.00" }]);
  const before = await revenue();
  expect((await repair(won.purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before + 397);
  expect(await accessOf(won.student)).toMatchObject({ hasAccess: true, tier: "premium" });
  expect(await newest(won.student)).toMatchObject({ status: "completed" });
  // The payment is kept, and the access opened.
  expect(await open(refunded.purchaseId)).toMatchObject([{ kind: "refund-failed" }]);
  expect((await repair(refunded.purchaseId, "take-back")).status).toBe(200);
  expect(await revenue()).toBe(before + 397 + 1497);
  expect(await accessOf(refunded.student)).toMatchObject({ hasAccess: true, tier: "vip", until: null });
  await expectSettled(...[old, recent, won, refunded].map(({ purchaseId }) => purchaseId));
});

test("a comparison by hand lists an old chargeback at once, whatever the gateway says of other charges [P39]", async () => {
  const [unreadable, disputed] = [await academy.purchase("premium"), await academy.purchase("premium")];
  await pass("20d");
  await academy.stage(disputed.transactionId, "chargeback");
  const newStatus = { transId: unreadable.transactionId, transactionStatus: "foreverPending", authAmount: 397 };
  const messages = { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] };
  between.answering(({ transId }) =>
    transId === unreadable.transactionId ? { transaction: newStatus, messages } : null,
  );
  expect((await administrator.call(runReconciliation, { body: {} })).body.lastError).toBeNull();
  between.answering(null);
  expect(await open(disputed.purchaseId)).toMatchObject([{ kind: "disputed" }]);
  await repair(disputed.purchaseId);
});

test("while a dispute is open nothing is charged, and the course stays open [P39]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await pass("20d");
  await academy.stage(transactionId, "chargeback");
  await compare();
  await pass("1d");
  expect((await academy.mailTo(administrator, "payment problem")).text).toContain("Payment disputed");
  await pass("29d");
  expect(await academy.transactionsOf(purchaseId)).toHaveLength(1);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "basic" });
  expect((await student.call(getOwnSubscription)).body).toMatchObject({
    chargesStopped: paymentDisputed,
    accountStatus: "active",
  });
  const disputed = { status: 409, body: { code: "payment-disputed", message: paymentDisputed } };
  expect(await student.call(createQuote, { body: { tier: "premium" } })).toMatchObject(disputed);
  expect(await student.buy("premium")).toMatchObject(disputed);
  expect(await student.changeCard()).toMatchObject(disputed);
  expect(await academy.transactionsOf(purchaseId)).toHaveLength(1);

  const userId = await student.id();
  const { stoppedBy } = (await administrator.call(getUserDetail, { params: { userId } })).body;
  expect(stoppedBy).toMatchObject([{ kind: "disputed" }]);

  await academy.stage(transactionId, "chargebackReversal");
  await pass("1d");
  expect(await open(purchaseId)).toEqual([]);
  await pass("1m");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, source: "renewal" });
});

test("a refund that fails is listed, and is paid back once by its action [P39]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("vip");
  await pass("1d");
  const before = await revenue();
  expect((await refund(purchaseId)).status).toBe(200);
  await stageRefundOf(transactionId, "settlementError");
  const [found] = await compare(purchaseId);
  expect(found).toMatchObject({ kind: "refund-failed", expected: "1497.00" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => books.repair(found?.id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refunds = await refundsOf(transactionId);
  expect(refunds.map(({ status }) => status).sort()).toEqual(["refundPendingSettlement", "settlementError"]);
  expect(await revenue()).toBe(before - 1497);
  expect((await accessOf(student)).hasAccess).toBe(false);
  await expectSettled(purchaseId);
});

test("a refund that failed and whose second try was never made either is listed again [P39]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("vip");
  await pass("1d");
  expect((await refund(purchaseId, { amount: 10 })).status).toBe(200);
  await stageRefundOf(transactionId, "settlementError");
  await compare();
  await academy.nextChargesOf(student, "error-500");
  expect((await repair(purchaseId)).status).toBe(200);
  expect(await open(purchaseId)).toEqual([]);
  await pass("1h");
  await pass("1h");
  expect(await compare(purchaseId)).toMatchObject([{ kind: "refund-failed", expected: "10.00" }]);
  expect((await repair(purchaseId)).status).toBe(200);
  await expectSettled(purchaseId);
  const back = await refundsOf(transactionId);
  expect(back.map(({ status }) => status).sort()).toEqual(["refundPendingSettlement", "settlementError"]);
});

test("a second year begins when the first is refunded, and no day is lost when that refund fails", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  await academy.advance("3m");
  const second = await student.buy("premium");
  await pass("10d");
  const daysTo = async (until: string | null) => (Date.parse(until ?? "") - (await academy.now())) / 86_400_000;
  const { accessAfter } = await preview(purchaseId);
  expect(accessAfter).toMatchObject({ tier: "premium" });
  expect(await daysTo(accessAfter.until)).toBeCloseTo(365, 1);
  expect((await refund(purchaseId)).status).toBe(200);
  expect(await accessOf(student)).toMatchObject({ tier: "premium" });
  expect(await daysTo((await accessOf(student)).until)).toBeCloseTo(365, 1);

  await stageRefundOf(transactionId, "settlementError");
  expect(await compare(purchaseId)).toMatchObject([{ kind: "refund-failed" }]);
  expect((await repair(purchaseId, "take-back")).status).toBe(200);
  expect(await daysTo((await accessOf(student)).until)).toBeCloseTo(2 * 365 - 10, 1);
  await pass("361d");
  expect(await accessOf(student)).toMatchObject({ tier: "premium" });
  await expectSettled(purchaseId, second.body.purchaseId);
});

test("days returned by an upgrade's refund are open again when the refund of their own payment fails", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  const upgrade = await student.buyQuoted("vip");
  await pass("8d");
  expect((await refund(upgrade.body.purchaseId)).status).toBe(200);
  expect((await refund(purchaseId)).status).toBe(200);
  expect((await accessOf(student)).hasAccess).toBe(false);
  await stageRefundOf(transactionId, "settlementError");
  await compare();
  expect((await repair(purchaseId, "take-back")).status).toBe(200);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "premium" });
  await expectSettled(purchaseId);
});

test("days returned by a refund end again when that refund fails", async () => {
  const { student } = await academy.purchase("basic");
  await pass("10d");
  await student.signInAgain();
  const upgrade = await student.buyQuoted("premium");
  await pass("3m");
  await student.signInAgain();
  const second = await student.buy("premium");
  await pass("1d");
  expect((await refund(upgrade.body.purchaseId)).status).toBe(200);
  expect((await refund(second.body.purchaseId)).status).toBe(200);
  expect(await accessOf(student)).toMatchObject({ tier: "basic", source: "credit-returned" });
  await stageRefundOf(upgrade.body.transactionId ?? "", "settlementError");
  await compare();
  expect((await repair(upgrade.body.purchaseId, "take-back")).status).toBe(200);
  expect(await accessOf(student)).toMatchObject({ tier: "premium" });
  // They are part of that year's credit again, and have no value of their own.
  const { body } = await student.call(createQuote, { body: { tier: "vip", priceId: "vip_lifetime" } });
  expect(body.lines.map(({ label }) => label)).toEqual(["Lifetime Access", expect.stringContaining("Annual Access")]);
});

test("a refund that the gateway does not have and a void that settled are listed and paid back", async () => {
  const missing = await academy.purchase("vip");
  await pass("1d");
  await refund(missing.purchaseId);
  await stageRefundOf(missing.transactionId, "missing");
  const voided = await academy.purchase("premium");
  const before = await revenue();
  await refund(voided.purchaseId);
  expect((await academy.ledger()).find(({ transId }) => transId === voided.transactionId)?.status).toBe("voided");
  await academy.stage(voided.transactionId, "settledAnyway");
  await compare();
  expect(await open(missing.purchaseId)).toMatchObject([{ kind: "refund-missing", expected: "1497.00" }]);
  expect(await open(voided.purchaseId)).toMatchObject([{ kind: "void-settled", expected: "397.00" }]);
  expect((await repair(missing.purchaseId)).status).toBe(200);
  expect((await repair(voided.purchaseId)).status).toBe(200);
  expect(await revenue()).toBe(before - 397);
  await expectSettled(missing.purchaseId, voided.purchaseId);
});

test("a credit that nobody linked is listed, and linked to the charge that is named", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  await pass("1d");
  await academy.stage(transactionId, "unlinkedCredit");
  const found = (await compare()).find(({ kind }) => kind === "credit-unlinked");
  expect(found).toMatchObject({ found: "397.00", purchaseId: null });
  const link = (charge?: string) => books.repair(found?.id, "link-credit", { charge });
  expect((await link()).status).toBe(409);
  expect(await link("123")).toMatchObject({
    status: 409,
    body: { errors: { charge: ["Enter the transaction number of a paid charge."] } },
  });
  const before = await revenue();
  expect((await link(transactionId)).status).toBe(200);
  expect(await revenue()).toBe(before - 397);
  expect(await newest(student)).toMatchObject({ status: "refunded" });
  expect((await compare()).filter(({ kind }) => kind === "credit-unlinked")).toEqual([]);
  expect(await open(purchaseId)).toEqual([]);
});

test("any charge of a subscription is refunded once, and an older one leaves the current period", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("30d");
  await pass("30d");
  const { charges, chargeId } = await preview(purchaseId);
  expect(charges.map(({ kind, paid }) => [kind, paid])).toEqual([
    ["renewal", "49.00"],
    ["renewal", "49.00"],
    ["initial", "49.00"],
  ]);
  expect(chargeId).toBe(charges[0]?.id);
  const oldest = charges[2]?.id ?? "";
  const ofOldest = { endsAccess: false, mayEndAccess: true, kind: "refund" };
  expect(await preview(purchaseId, { chargeId: oldest })).toMatchObject(ofOldest);
  expect(await preview(purchaseId, { chargeId: oldest, endAccess: "true" })).toMatchObject({ endsAccess: true });

  expect((await refund(purchaseId, { chargeId: oldest, amount: 49.01 })).status).toBe(409);
  expect((await refund(purchaseId, { chargeId: "00000000000000000000" })).status).toBe(404);
  const answers = await Promise.all(Array.from({ length: 4 }, () => refund(purchaseId, { chargeId: oldest })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const detail = await detailOf(purchaseId);
  expect(detail.refunds.filter(({ state }) => state === "returned")).toMatchObject([
    { attemptId: oldest, amount: "49.00", endsAccess: false },
  ]);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "basic" });
  expect(await newest(student)).toMatchObject({ status: "completed", subscriptionStatus: "active" });

  const middle = charges[1]?.id ?? "";
  expect((await refund(purchaseId, { chargeId: middle, endAccess: true })).status).toBe(200);
  expect((await accessOf(student)).hasAccess).toBe(false);
  expect(await newest(student)).toMatchObject({ status: "completed", subscriptionStatus: "cancelled" });
  // What is left of the newest one can still be refunded.
  expect((await refund(purchaseId)).status).toBe(200);
  expect(await newest(student)).toMatchObject({ status: "refunded" });
  expect((await refund(purchaseId)).status).toBe(409);
  await expectSettled(purchaseId);
});

test("a dispute is recorded by hand with its reason, and does not count as won later", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("1d");
  const before = await revenue();
  const record = (reason: string) => administrator.call(recordDispute, { body: { purchaseId, reason } });
  expect((await record(" ")).status).toBe(400);
  expect((await record("letter of the bank of today")).status).toBe(200);
  expect((await record("once more")).status).toBe(409);
  expect(await revenue()).toBe(before - 49);
  expect((await accessOf(student)).hasAccess).toBe(false);
  expect(await newest(student)).toMatchObject({ status: "refunded", subscriptionStatus: "cancelled" });
  await expectSettled(purchaseId);
  await academy.mailTo(student, "Your Monthly Access has ended");
});

test("after a renewal, a disputed first payment ends the course, and one never received leaves it open", async () => {
  const [disputed, unpaid] = [await academy.purchase("basic"), await academy.purchase("basic")];
  await pass("31d");
  await academy.stage(disputed.transactionId, "chargeback");
  await academy.stage(unpaid.transactionId, "settlementError");
  expect(await compare(unpaid.purchaseId)).toMatchObject([{ kind: "not-settled", expected: "49.00" }]);
  for (const { purchaseId } of [disputed, unpaid]) expect((await repair(purchaseId)).status).toBe(200);
  expect((await accessOf(disputed.student)).hasAccess).toBe(false);
  await expectSettled(disputed.purchaseId);
  expect((await accessOf(unpaid.student)).hasAccess).toBe(true);
  const { subject, text } = await academy.mailTo(unpaid.student, "was reversed");
  expect(subject).toBe("A payment for your Monthly Access was reversed");
  expect(text).toContain("We never received your $49.00 payment");
  expect(text).toContain("You still have Monthly Access until ");
});

test("what the gateway reversed before anybody acted takes no money off and ends no access [P34]", async () => {
  const unsettled = await academy.purchase("premium");
  await academy.stage(unsettled.transactionId, "settlementError");
  const refunded = await academy.purchase("premium");
  await pass("1d");
  await academy.stage(refunded.transactionId, "refundedElsewhere");
  await compare();
  expect(await open(unsettled.purchaseId)).toMatchObject([{ kind: "not-settled" }]);
  expect(await open(refunded.purchaseId)).toMatchObject([{ kind: "returned-elsewhere" }]);
  await academy.stage(unsettled.transactionId, "settledAnyway");
  await stageRefundOf(refunded.transactionId, "settlementError");
  const before = await revenue();
  for (const { student, purchaseId } of [unsettled, refunded]) {
    expect((await repair(purchaseId)).status).toBe(200);
    expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "premium" });
  }
  expect(await revenue()).toBe(before);
});

test("a dispute waits for a renewal that is being confirmed, and then ends its access too [P39]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await academy.nextChargesOf(student, "hold");
  await pass("30d");
  const held = (await academy.transactionsOf(purchaseId)).at(-1);
  const body = { purchaseId, reason: "letter of the bank of today" };
  const early = await administrator.call(recordDispute, { body });
  expect(early).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  await academy.decide(held?.transId, "approve");
  await pass("2h");
  expect((await accessOf(student)).hasAccess).toBe(true);
  expect((await administrator.call(recordDispute, { body })).status).toBe(200);
  expect((await accessOf(student)).hasAccess).toBe(false);
  await expectSettled(purchaseId);
});

test("a renewal that was never settled ends the access, and earlier payments can be refunded [P39]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await pass("31d");
  const { charges } = await preview(purchaseId);
  await academy.stage(charges[0]?.transactionId ?? "", "settlementError");
  expect(await compare(purchaseId)).toMatchObject([{ kind: "not-settled", expected: "49.00" }]);
  expect((await repair(purchaseId)).status).toBe(200);
  expect((await accessOf(student)).hasAccess).toBe(false);
  expect(await newest(student)).toMatchObject({ status: "completed", subscriptionStatus: "cancelled" });
  const before = await revenue();
  expect((await refund(purchaseId, { chargeId: charges[1]?.id })).status).toBe(200);
  expect(await newest(student)).toMatchObject({ status: "refunded" });
  expect(await refundsOf(transactionId)).toHaveLength(1);
  expect(await revenue()).toBe(before - 49);
  await expectSettled(purchaseId);
});

test("a refund that an upgrade overtakes while the gateway is asked returns nothing that the upgrade was credited with [P42]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  const upgradeTo = async (tier: Tier) => {
    await student.signInAgain();
    return (await student.buyQuoted(tier)).body;
  };
  await pass("2d");
  const upgrade = await upgradeTo("premium");
  await pass("1d");
  let lookups = 0;
  between.answering(async ({ name }) => {
    // The second one concerns the payment that would be refunded together with the upgrade.
    if (name === "getTransactionDetailsRequest" && ++lookups === 2) await upgradeTo("vip");
    return null;
  });
  const answer = await refund(upgrade.purchaseId);
  between.answering(null);
  expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await detailOf(purchaseId)).refunds).toEqual([]);
});

test("an unsteady gateway is not asked again for the charges that it answered before it failed", async () => {
  for (const tier of ["basic", "premium", "vip"] as const) await academy.purchase(tier);
  const now = new Date(await academy.now());
  const asked: string[] = [];
  const answerTwo = () =>
    recheck(
      {
        db: openDb(academy.pool as Parameters<typeof openDb>[0]),
        gateway: {
          async findTransaction(id) {
            if (asked.length % 3 === 2) throw new GatewayUnavailable(`no answer about ${asked.push(id)}`);
            asked.push(id);
            return null;
          },
          listSettled: async () => [],
          listUnsettled: async () => [],
        },
        now,
        report: async () => {},
        agree: async () => {},
        noteUnreadable: () => {},
      },
      { checkedBefore: now, seconds: 600 },
    );
  await expect(answerTwo()).rejects.toThrow(GatewayUnavailable);
  await answerTwo().catch(() => null);
  const [first, second, failed, next] = asked;
  expect(next).toBe(failed);
  expect(asked.slice(3)).not.toContain(first);
  expect(asked.slice(3)).not.toContain(second);
});
