import { createHmac, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { getReconciliation, runReconciliation } from "#contract/admin/reconciliation.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { deleteUser } from "#contract/profile.ts";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { transact } from "#test/stand-ins/merchant-api.ts";
import { until } from "#test/until.ts";

const { academy, administrator, test } = await academyOfFile();

const { compare, open, ...books } = booksOf(administrator);

/** What a comparison finds about a transaction. */
const about = async (transactionId: string) => (await compare()).filter((one) => one.transactionId === transactionId);
/** An administrator with a recent sign-in. */
const repair = async (id: string | undefined, times = 1) => {
  await administrator.signInAgain();
  return Promise.all(Array.from({ length: times }, () => books.repair(id)));
};
const revenue = async () => (await administrator.call(getStats)).body.totalRevenue;

/** Changes the books as if a paid charge had been given up too early. Returns its transaction. */
async function giveUp(purchaseId: string, kind = "initial"): Promise<string> {
  const lost = `update payment_attempts a set state = 'not-processed', cause = 'not-found', transaction_id = null
    from payment_attempts before where a.id = before.id and a.purchase_id = $1 and a.kind = $2
    returning before.transaction_id as id`;
  const { rows } = await academy.pool.query<{ id: string }>(lost, [purchaseId, kind]);
  const transactionId = rows[0]?.id ?? "";
  if (kind === "renewal") return transactionId;
  const failed = "update purchases set status = 'failed', transaction_id = null, completed_at = null where id = $1";
  await academy.pool.query(failed, [purchaseId]);
  return transactionId;
}

/** A charge that the merchant makes at the gateway's virtual terminal. */
async function chargeElsewhere(amount: string): Promise<string> {
  const { opaqueDataDescriptor, opaqueDataValue } = await academy.visitor().tokenizeCard();
  const { transactionResponse } = await transact(academy.url, {
    transactionType: "authCaptureTransaction",
    amount,
    payment: { opaqueData: { dataDescriptor: opaqueDataDescriptor, dataValue: opaqueDataValue } },
    order: { invoiceNumber: `till-${amount}` },
  });
  return transactionResponse.transId;
}

function notify(body: string, signature: string | null): Promise<Response> {
  return fetch(`${academy.url}/api/authorize-net/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(signature !== null && { "x-anet-signature": signature }) },
    body,
  });
}
const sign = (body: string) =>
  `sha512=${createHmac("sha512", merchant.signatureKey).update(body).digest("hex").toUpperCase()}`;
const eventAbout = (transactionId: string, event = "net.authorize.payment.authcapture.created") =>
  JSON.stringify({
    notificationId: randomUUID(),
    eventType: event,
    eventDate: "2026-11-21T12:00:00.0000000Z",
    webhookId: randomUUID(),
    payload: { responseCode: 1, entityName: "transaction", id: transactionId },
  });

test("books that agree have no discrepancy, and say when they were compared", async () => {
  await academy.purchase("basic");
  const { body } = await administrator.call(runReconciliation, { body: {} });
  expect(body).toMatchObject({ lastError: null, rows: [], lastRunAt: expect.any(String) });
  expect(body.checked).toBeGreaterThanOrEqual(6);
});

test.each(["a higher plan took its place", "the account was deleted"])(
  "a charge that is found when %s goes back, and begins nothing",
  async (meanwhile) => {
    const isDeleted = meanwhile === "the account was deleted";
    const { student, purchaseId } = await academy.purchase("basic");
    if (!isDeleted) await academy.advance("30d1m");
    await student.signInAgain();
    const kind = isDeleted ? "initial" : "renewal";
    const transactionId = await giveUp(purchaseId, kind);
    expect((await (isDeleted ? student.call(deleteUser) : student.buyQuoted("vip"))).status).toBe(200);
    await administrator.signInAgain();
    const [found] = await about(transactionId);
    expect(found).toMatchObject({ kind: "not-recorded", purchaseId });
    const repaired = (await repair(found?.id))[0]?.body.rows.find((one) => one.id === found?.id);
    expect(repaired?.resolution).toMatch(/^There was no access left to give. (Voided|Refunded)$/);
    const renews = "select 1 from subscriptions where purchase_id = $1 and status <> 'cancelled' and is_paid";
    expect((await academy.pool.query(renews, [purchaseId])).rowCount).toBe(0);
  },
);

test("a charge that a later try took over is neither repeated nor returned, and no discrepancy [P35 P37]", async () => {
  const { purchaseId } = await academy.purchase("basic");
  await academy.advance("30d1m", administrator);
  const transactionId = await giveUp(purchaseId, "renewal");
  const [found] = await about(transactionId);
  expect(found).toMatchObject({ kind: "not-recorded", purchaseId });
  const periodBefore = `update subscriptions set current_period_end = a.renews_from, next_charge_at = a.renews_from
    from payment_attempts a where subscriptions.purchase_id = $1 and a.purchase_id = $1 and a.kind = 'renewal'`;
  await academy.pool.query(periodBefore, [purchaseId]);
  await academy.advance("1m");
  const isPaid = "select 1 from payment_attempts where transaction_id = $1 and state = 'approved'";
  expect((await academy.pool.query(isPaid, [transactionId])).rowCount).toBe(1);

  await repair(found?.id);
  const ledger = await academy.ledger();
  expect(ledger.find(({ transId }) => transId === transactionId)?.status).not.toBe("voided");
  expect(ledger.filter(({ refTransId }) => refTransId === transactionId)).toEqual([]);
  expect(await about(transactionId)).toEqual([]);
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
});

test("money charged elsewhere is a discrepancy once, and its action gives it back once [P20 P35]", async () => {
  const transactionId = await chargeElsewhere("12.34");
  await compare();
  const [found, ...more] = await about(transactionId);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ kind: "unknown-here", found: "12.34", purchaseId: null });
  const answers = await repair(found?.id, 6);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  expect((await open()).filter((one) => one.transactionId === transactionId)).toEqual([]);
  expect((await academy.ledger()).find((row) => row.transId === transactionId)?.status).toBe("voided");
  expect(await about(transactionId)).toEqual([]);
});

test("a lost answer to a refund is not reported as a failed refund", async () => {
  const transactionId = await chargeElsewhere("34.56");
  const [found] = await about(transactionId);
  await academy.nextCharges("reset-after");
  const [lost] = await repair(found?.id);
  expect(lost).toMatchObject({ status: 503, body: { message: expect.stringContaining("may have been returned") } });
  expect((await academy.ledger()).find((row) => row.transId === transactionId)?.status).toBe("voided");
  expect((await repair(found?.id))[0]?.status).toBe(200);
});

test("settled money charged elsewhere is refunded [P35]", async () => {
  const transactionId = await chargeElsewhere("23.45");
  await academy.advance("2d", administrator);
  const [found] = await about(transactionId);
  expect((await repair(found?.id))[0]?.status).toBe(200);
  const refunds = (await academy.ledger()).filter(
    (row) => row.type.startsWith("refund") && Number(row.amount) === 23.45,
  );
  expect(refunds).toHaveLength(1);
  for (const one of [transactionId, refunds[0]?.transId ?? ""]) expect(await about(one)).toEqual([]);
});

/** Changes the books as if a purchase had been made by a charge that the gateway does not know. */
async function mistake(purchaseId: string, transactionId: string): Promise<void> {
  for (const statement of [
    "update purchases set transaction_id = $2 where id = $1",
    "update payment_attempts set transaction_id = $2 where purchase_id = $1",
  ]) {
    await academy.pool.query(statement, [purchaseId, transactionId]);
  }
  await academy.advance("1h");
}

test("the gateway's charge of the same invoice is recorded for one that it does not know [P35]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await mistake(purchaseId, "77700000");
  const [found] = await about("77700000");
  await administrator.signInAgain();
  expect((await books.repair(found?.id, "adopt-charge")).status).toBe(200);
  expect(await student.purchase()).toMatchObject({ status: "completed", transactionId });
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "basic" });
  expect(await about(transactionId)).toEqual([]);

  const other = await academy.purchase("basic");
  await mistake(other.purchaseId, "77700002");
  await academy.pool.query("update payment_attempts set invoice_number = 'nobody' where purchase_id = $1", [
    other.purchaseId,
  ]);
  const [unknown] = await about("77700002");
  await administrator.signInAgain();
  expect(await books.repair(unknown?.id, "adopt-charge")).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("no approved charge") },
  });
});

test("a purchase that the gateway does not know is a discrepancy, and its action ends the access [P35]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await mistake(purchaseId, "77700001");
  const [found] = await about("77700001");
  expect(found).toMatchObject({ kind: "unknown-there", purchaseId, expected: "49.00" });
  // The charge has an invoice number that another transaction has paid already, so it is unexpected.
  const extra = (await compare()).find((one) => one.kind === "unknown-here");
  await repair(found?.id);
  await repair(extra?.id);
  expect((await student.access()).hasAccess).toBe(false);
  expect(await student.purchase()).toMatchObject({
    status: "failed",
    subscriptionStatus: "cancelled",
    nextBillingDate: null,
  });
});

test("a charge that was given up too early is found, and its action completes the purchase", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  await giveUp(purchaseId);
  const [found] = await about(transactionId);
  expect(found).toMatchObject({ kind: "not-recorded", purchaseId });
  await repair(found?.id);
  expect(await student.purchase()).toMatchObject({ status: "completed", transactionId });
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "premium" });
});

test("a part that was refunded elsewhere is taken off the revenue and leaves the access", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  await academy.advance("1d", administrator);
  await transact(academy.url, {
    transactionType: "refundTransaction",
    amount: "97.00",
    payment: { creditCard: { cardNumber: "1111", expirationDate: "XXXX" } },
    refTransId: transactionId,
  });
  const [found] = await compare(purchaseId);
  expect(found).toMatchObject({ kind: "returned-elsewhere", found: "97.00" });
  const before = await revenue();
  await repair(found?.id);
  expect(await revenue()).toBe(before - 97);
  expect(await student.purchase()).toMatchObject({ status: "completed" });
  expect((await student.access()).hasAccess).toBe(true);
  expect(await compare(purchaseId)).toEqual([]);
});

test("a purchase that was given up too early and bought again since is returned", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  await giveUp(purchaseId);
  await academy.advance("5m");
  const again = await student.buy("vip");
  expect(again.status).toBe(200);
  const [found] = await about(transactionId);
  expect(found).toMatchObject({ kind: "not-recorded", purchaseId });
  const repaired = (await repair(found?.id))[0]?.body.rows.find((one) => one.id === found?.id);
  expect(repaired?.resolution).toBe("There was no access left to give. Voided");
  expect((await academy.ledger()).find((row) => row.transId === transactionId)?.status).toBe("voided");
  // Its access is now without a payment.
  const unpaid = (await compare(purchaseId)).find((one) => one.kind === "grant-unpaid");
  await repair(unpaid?.id);
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "vip" });
});

test("an amount that differs and has settled goes back, ends the access, and is no discrepancy any more", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await academy.pool.query("update payment_attempts set amount = 60.00 where purchase_id = $1", [purchaseId]);
  await academy.pool.query("update purchases set amount = 60.00 where id = $1", [purchaseId]);
  await academy.advance("2d", administrator);
  const [found] = await about(transactionId);
  expect((await books.repair(found?.id, "end-access")).status).toBe(200);
  expect(await student.purchase()).toMatchObject({ status: "failed" });
  expect((await academy.ledger()).find(({ refTransId }) => refTransId === transactionId)).toMatchObject({ amount: 49 });
  expect(await compare(purchaseId)).toEqual([]);
});

const lost = [
  ["chargeback", "disputed", "refunded", "Your Monthly Access has ended"],
  ["refundedElsewhere", "returned-elsewhere", "refunded", "Your refund of $49.00"],
  ["settlementError", "not-settled", "failed", "Your Monthly Access has ended"],
] as const;

test("lost money is a discrepancy, and its action ends access, reduces revenue, and tells the student [P34]", async () => {
  const sold = [await academy.purchase("basic"), await academy.purchase("basic")];
  await academy.advance("1d", administrator);
  // An unsettled charge cannot be disputed; it can only fail to settle.
  sold.push(await academy.purchase("basic"));
  for (const [at, { transactionId }] of sold.entries()) await academy.stage(transactionId, lost[at]?.[0] ?? "");
  const listed = await compare();
  for (const [at, { student, purchaseId }] of sold.entries()) {
    const [staged, kind, status, subject] = lost[at] ?? [];
    const found = listed.find((one) => one.purchaseId === purchaseId);
    expect(found, staged).toMatchObject({ kind });
    expect((await student.access()).hasAccess, staged).toBe(true);
    const before = await revenue();
    await repair(found?.id);
    expect(await revenue(), staged).toBe(before - 49);
    expect(await student.purchase(), staged).toMatchObject({ status });
    expect((await student.access()).hasAccess, staged).toBe(false);
    await academy.mailTo(student, subject ?? "");
  }
  expect(await compare(...sold.map(({ purchaseId }) => purchaseId))).toEqual([]);
});

test("a charge whose dispute was won stays paid, and a later dispute of it is found again [P34]", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  await academy.advance("1d", administrator);
  await academy.stage(transactionId, "chargeback");
  const [found] = await compare(purchaseId);
  await academy.stage(transactionId, "chargebackReversal");
  const repaired = (await repair(found?.id))[0]?.body.rows.find((one) => one.id === found?.id);
  expect(repaired?.resolution).toBe("The dispute has been won since, so access wasn’t ended");
  expect(await student.purchase()).toMatchObject({ status: "completed" });
  expect((await student.access()).hasAccess).toBe(true);
  expect(await compare(purchaseId)).toEqual([]);
  await academy.stage(transactionId, "chargeback");
  await repair((await compare(purchaseId))[0]?.id);
  expect((await student.access()).hasAccess).toBe(false);
});

test("every repair leaves its line in the audit log [Z19]", async () => {
  const { rows } = await academy.pool.query("select reason from audit_log where action like 'repair %'");
  expect(rows.length).toBeGreaterThanOrEqual(8);
  expect(rows.every(({ reason }) => reason === "test")).toBe(true);
});

test("the books are compared every night by themselves", async () => {
  const before = (await administrator.call(getReconciliation)).body.lastRunAt;
  await academy.advance("1d", administrator);
  expect((await administrator.call(getReconciliation)).body.lastRunAt).not.toBe(before);
});

test("an unsigned webhook is refused and has no effect [P15]", async () => {
  const transactionId = await chargeElsewhere("45.67");
  const body = eventAbout(transactionId);
  const good = sign(body);
  for (const [text, signature] of [
    [body, null],
    [body, good.slice(0, -1)],
    [`${body} `, good],
    [JSON.stringify(JSON.parse(body), null, 1), good],
    ["", good],
  ] as const) {
    expect((await notify(text, signature)).status).toBe(401);
  }
  expect((await notify("x".repeat(70_000), good)).status).toBe(413);
  const { rows } = await academy.pool.query("select id from webhooks where transaction_id = $1", [transactionId]);
  expect(rows).toEqual([]);
});

test("a signed webhook is stored once, makes the academy ask the gateway, and is not believed itself [P16 P18]", async () => {
  const transactionId = await chargeElsewhere("56.78");
  const body = eventAbout(transactionId);
  const answers = await Promise.all(Array.from({ length: 8 }, () => notify(body, sign(body))));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  const found = await until(async () => (await open()).find((one) => one.transactionId === transactionId));
  expect(found).toMatchObject({ kind: "unknown-here", found: "56.78" });
  const settled = async () => {
    await until(async () => (await academy.pool.query("select from jobs where name = 'apply-webhook'")).rowCount === 0);
    const applied = "select applied_at from webhooks where transaction_id = $1";
    return (await academy.pool.query<{ applied_at: Date }>(applied, [transactionId])).rows;
  };
  const once = await settled();
  expect(once).toEqual([{ applied_at: expect.any(Date) }]);
  expect((await notify(body, sign(body))).status).toBe(200);
  expect(await settled()).toEqual(once);

  const lie = eventAbout("99999999", "net.authorize.payment.refund.created");
  expect((await notify(lie, sign(lie))).status).toBe(200);
  const lowerCase = sign(lie).toLowerCase();
  expect((await notify(lie, lowerCase)).status).toBe(200);
});

test("a void at the gateway is seen by its webhook, whatever came before it [P17]", async () => {
  const { purchaseId, transactionId } = await academy.purchase("basic");
  await transact(academy.url, { transactionType: "voidTransaction", refTransId: transactionId });
  for (const event of ["net.authorize.payment.void.created", "net.authorize.payment.authcapture.created"]) {
    const body = eventAbout(transactionId, event);
    expect((await notify(body, sign(body))).status).toBe(200);
  }
  const found = await until(async () => (await open(purchaseId))[0]);
  expect(found).toMatchObject({ kind: "returned-elsewhere" });
});
