import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { listening } from "#test/listening.ts";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";
import { adapterAt, sampleCharge as charge } from "#test/stand-ins/scripted-gateway.ts";
import type { Charge } from "./gateway.ts";

async function openSandbox(academyUrl?: string) {
  const sandbox = await sandboxOfTest(academyUrl === undefined ? {} : { academyUrl });
  const { gateway, lines } = adapterAt(sandbox.sandbox.gateway.apiUrl);
  const token = async (card?: Parameters<typeof sandbox.tokenize>[0]) => ({
    descriptor: "COMMON.ACCEPT.INAPP.PAYMENT",
    value: await sandbox.tokenize(card),
  });
  return {
    ...sandbox,
    gateway,
    lines,
    token,
    now: async () => new Date((await sandbox.api("GET", "clock")).content.now),
    /** Moves the clock past the next settlement. */
    settle: () => sandbox.api("POST", "clock", { advance: "1d" }),
    /** An approved charge, told apart by its number. */
    async approved(number: number, more: Partial<Charge> = {}) {
      const names = { reference: `attempt-${number}`, invoiceNumber: `purchase-${number}` };
      const outcome = await gateway.charge({ ...charge, ...names, card: await token(), ...more });
      if (outcome.kind !== "approved") throw new Error(`the charge is ${outcome.kind}`);
      return outcome;
    },
  };
}

test("a charge is approved, stored, found by its number and listed", async () => {
  const { gateway, approved } = await openSandbox();
  expect(await gateway.listUnsettled()).toEqual([]);
  const { transactionId, networkTransactionId, paymentProfile, card } = await approved(1, { storeCard: true });
  expect(card).toEqual({ brand: "Visa", last4: "1111" });
  expect(await gateway.findTransaction(transactionId)).toMatchObject({
    transactionId,
    reference: "attempt-1",
    invoiceNumber: "purchase-1",
    amountCents: 4900,
    state: "approved",
    settled: false,
    refersTo: null,
    networkTransactionId,
    paymentProfile,
  });
  expect(await gateway.listUnsettled()).toEqual([
    {
      transactionId,
      invoiceNumber: "purchase-1",
      amountCents: 4900,
      state: "approved",
      isDisputeWon: false,
      submittedAt: expect.any(Date),
    },
  ]);
  expect(await gateway.findTransaction("1")).toBeNull();
});

test("a lost answer is unknown, the same charge again is too, and the first one is found, settled or not", async () => {
  const { gateway, token, api, now, settle, ledger } = await openSandbox();
  await api("POST", "gateway/next", { outcomes: ["timeout-after"] });
  const sentAt = await now();
  const chargeWith = async (reference: string) => gateway.charge({ ...charge, reference, card: await token() });
  expect(await chargeWith("first")).toMatchObject({ kind: "unknown" });
  expect(await chargeWith("second")).toMatchObject({ kind: "unknown", codes: { reason: "11" } });
  expect(await ledger()).toHaveLength(1);
  const find = async (invoiceNumber: string) => {
    const at = await now();
    const asked = { amountCents: 4900, refersTo: null, since: sentAt, now: at, freshSince: at };
    return gateway.listUnder({ invoiceNumbers: [invoiceNumber], ...asked });
  };
  const { invoiceNumber } = charge;
  expect(await find(invoiceNumber)).toMatchObject([{ reference: "first", state: "approved", settled: false }]);
  expect(await find("another")).toEqual([]);
  await settle();
  expect(await gateway.listUnsettled()).toEqual([]);
  expect(await find(invoiceNumber)).toMatchObject([{ reference: "first", state: "approved", settled: true }]);
  expect(await find("another")).toEqual([]);
});

test("a stored card is charged by its profile, and a new card replaces it", async () => {
  const { gateway, approved, settle, token } = await openSandbox();
  const { paymentProfile, networkTransactionId } = await approved(1, { storeCard: true });
  await settle();
  if (!paymentProfile || !networkTransactionId) throw new Error("the card was not stored");
  const first = { networkTransactionId, amountCents: 4900 };
  const renew = (reference: string, card: typeof paymentProfile) =>
    gateway.chargeStored({ ...charge, reference, invoiceNumber: reference, paymentProfile: card, first });
  expect(await renew("renewal-1", paymentProfile)).toMatchObject({ kind: "approved", card: { last4: "1111" } });

  const { customerProfileId } = paymentProfile;
  const add = async (card: Parameters<typeof token>[0]) =>
    gateway.addCard({ customerProfileId, card: await token(card), firstName: "Ada", lastName: "Byron", zip: null });
  const added = await add({ cardNumber: "5424000000000015" });
  if (added.kind !== "kept") throw new Error(`the card is ${added.kind}`);
  expect(await add({ cardNumber: "5424000000000015" })).toEqual(added);
  expect(await gateway.findCard(added.paymentProfile)).toEqual({ brand: "MasterCard", last4: "0015" });
  expect(await add({ cardNumber: "4007000000027", zip: "46282" })).toMatchObject({
    kind: "declined",
    codes: { response: "2", reason: "2" },
  });
  await gateway.deleteCard(paymentProfile);
  await gateway.deleteCard(paymentProfile);
  expect(await renew("renewal-2", paymentProfile)).toMatchObject({
    kind: "declined",
    hard: false,
    codes: { reason: "E00040" },
  });
  expect(await renew("renewal-3", added.paymentProfile)).toMatchObject({ kind: "approved", card: { last4: "0015" } });
  await gateway.deleteCustomer(customerProfileId);
  expect(await gateway.findCard(added.paymentProfile)).toBeNull();
  expect(await add({})).toMatchObject({ kind: "failed", why: "no-such-customer" });
});

test("a customer has ten cards and no more", async () => {
  const { gateway, approved, token } = await openSandbox();
  const { paymentProfile } = await approved(1, { storeCard: true });
  const customerProfileId = paymentProfile?.customerProfileId ?? "";
  const add = async (lastName: string) =>
    gateway.addCard({ customerProfileId, card: await token(), firstName: "Ada", lastName, zip: null });
  for (let number = 2; number <= 10; number++) expect((await add(`Byron ${number}`)).kind).toBe("kept");
  expect(await add("Byron 11")).toMatchObject({ kind: "failed", why: "too-many-cards" });
});

test("the card of a charge is stored afterwards, however often it is asked for", async () => {
  const { gateway, approved } = await openSandbox();
  const { transactionId } = await approved(1);
  const { customer } = charge;
  const store = (id: string) => gateway.keepCardOf(id, customer);
  const stored = await store(transactionId);
  expect(stored).toMatchObject({ kind: "kept" });
  expect(await store(transactionId)).toEqual(stored);
  // The same customer buys again, so that the charge cannot make a profile of its own.
  const again = await approved(2, { storeCard: true, customer });
  expect(again.paymentProfile).toBeNull();
  expect(await store(again.transactionId)).toEqual(stored);
  expect(await store("60299999999")).toMatchObject({ kind: "failed", codes: { reason: "E00099" } });
});

test("a charge is voided before its settlement and refunded after it", async () => {
  const { gateway, approved, settle } = await openSandbox();
  const early = (await approved(1)).transactionId;
  const late = (await approved(2)).transactionId;
  const undo = (transactionId: string) => gateway.voidTransaction({ transactionId, reference: "void-1" });
  const refund = (number: number, amountCents: number, transactionId = late, last4 = "1111") =>
    gateway.refund({ reference: `r-${number}`, invoiceNumber: `refund-${number}`, transactionId, last4, amountCents });
  expect(await refund(1, 4900)).toMatchObject({ kind: "refused", reason: "not-settled" });
  expect(await undo(early)).toMatchObject({ kind: "returned", transactionId: early });
  expect(await undo(early)).toMatchObject({ kind: "returned", codes: { reason: "310" } });
  expect(await gateway.findTransaction(early)).toMatchObject({ state: "voided" });

  await settle();
  expect(await undo(late)).toMatchObject({ kind: "refused", reason: "settled" });
  expect(await refund(8, 1, "60299999999")).toMatchObject({ kind: "refused", reason: "other" });
  expect(await refund(2, 4901)).toMatchObject({ kind: "refused", reason: "too-much" });
  expect(await refund(3, 100, late, "9999")).toMatchObject({ kind: "refused", reason: "not-settled" });
  const done = await refund(4, 900);
  expect(done).toMatchObject({ kind: "returned" });
  expect(await refund(4, 900)).toMatchObject({ kind: "unknown", codes: { reason: "11" } });
  expect(await refund(5, 4001)).toMatchObject({ kind: "refused", reason: "too-much" });
  expect(await refund(6, 4000)).toMatchObject({ kind: "returned" });
  const refunded = done.kind === "returned" ? done.transactionId : "";
  const known = { state: "refund", refersTo: late, amountCents: 900, reference: "r-4", invoiceNumber: "refund-4" };
  expect(await gateway.findTransaction(refunded)).toMatchObject({ ...known, settled: false });
  expect(await undo(refunded)).toMatchObject({ kind: "returned" });
  expect(await refund(7, 900)).toMatchObject({ kind: "returned" });
  await settle();
  expect(await gateway.findTransaction(late)).toMatchObject({ state: "approved", settled: true });
  expect(await gateway.listSettled({ from: new Date("2020-01-01"), to: new Date("2020-01-02") })).toEqual([]);
});

test("a refund whose answer was lost is found under its invoice", async () => {
  const { gateway, approved, settle, api, now } = await openSandbox();
  const { transactionId } = await approved(1);
  await settle();
  const sentAt = await now();
  await api("POST", "gateway/next", { outcomes: ["reset-after"] });
  const asked = { reference: "r-1", invoiceNumber: "refund-1", transactionId, last4: "1111", amountCents: 4900 };
  expect(await gateway.refund(asked)).toMatchObject({ kind: "unknown" });
  const at = await now();
  const sought = { invoiceNumbers: ["refund-1"], amountCents: 4900, refersTo: transactionId };
  const found = await gateway.listUnder({ ...sought, since: sentAt, now: at, freshSince: at });
  expect(found).toMatchObject([{ state: "refund", refersTo: transactionId, reference: "r-1" }]);
});

test("what has settled adds up to what was charged and refunded", async () => {
  const { gateway, approved, settle, now } = await openSandbox();
  const from = await now();
  await approved(1);
  const { transactionId } = await approved(2, { amountCents: 39_700 });
  await settle();
  const refund = { reference: "r", invoiceNumber: "refund", transactionId, last4: "1111", amountCents: 39_700 };
  await gateway.refund(refund);
  await settle();
  const rows = await gateway.listSettled({ from, to: await now() });
  expect(rows.map(({ state, amountCents }) => [state, amountCents])).toEqual([
    ["approved", 4900],
    ["approved", 39_700],
    ["refund", 39_700],
  ]);
});

test("a held charge waits for a decision, and later failures are distinguished", async () => {
  const { gateway, token, api, approved, settle } = await openSandbox();
  await api("POST", "gateway/next", { outcomes: ["hold", "hold"] });
  const hold = async (invoiceNumber: string) => {
    const outcome = await gateway.charge({ ...charge, reference: invoiceNumber, invoiceNumber, card: await token() });
    return outcome.kind === "held" ? outcome.transactionId : "";
  };
  const [good, bad] = [await hold("good"), await hold("bad")];
  expect(await gateway.findTransaction(good)).toMatchObject({ state: "held" });
  await settle();
  expect(await gateway.findTransaction(good)).toMatchObject({ state: "held", settled: false });
  await api("POST", "gateway/held", { transId: good, decision: "approve" });
  await api("POST", "gateway/held", { transId: bad, decision: "decline" });
  expect(await gateway.findTransaction(good)).toMatchObject({ state: "approved", settled: false });
  expect(await gateway.findTransaction(bad)).toMatchObject({ state: "declined", codes: { reason: "254" } });

  const charged = (await approved(1)).transactionId;
  const unpaid = (await approved(2)).transactionId;
  await api("POST", "gateway/stage", { transId: unpaid, as: "settlementError" });
  await settle();
  await api("POST", "gateway/stage", { transId: good, as: "refundedElsewhere" });
  await api("POST", "gateway/stage", { transId: charged, as: "chargeback" });
  expect(await gateway.findTransaction(charged)).toMatchObject({ state: "disputed", settled: true });
  expect(await gateway.findTransaction(unpaid)).toMatchObject({ state: "failed", settled: true });
  expect(await gateway.listUnsettled()).toEqual([
    expect.objectContaining({ state: "refund", invoiceNumber: "good", amountCents: 4900 }),
  ]);
});

test("a webhook of the sandbox is accepted, and one with another key is not", async () => {
  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const academy = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
  });
  onTestFinished(() => void academy.close());
  const academyUrl = `http://127.0.0.1:${await listening(academy)}`;
  const { gateway, approved, api, sandbox } = await openSandbox(academyUrl);
  const { transactionId } = await approved(1);
  await api("POST", "gateway/webhook", { transId: transactionId, event: "payment.refund.created" });
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
  expect(gateway.readWebhook(body, headers)).toEqual({
    id: expect.any(String),
    event: "refunded",
    transactionId,
    reference: "attempt-1",
  });
  const stranger = adapterAt(sandbox.gateway.apiUrl, { signatureKey: "another key" }).gateway;
  expect(stranger.readWebhook(body, headers)).toBeNull();

  academy.closeAllConnections();
  await new Promise((resolve) => academy.close(resolve));
  const unanswered = await api("POST", "gateway/webhook", { transId: transactionId, event: "payment.void.created" });
  expect(unanswered).toMatchObject({ status: 502, content: { message: expect.stringContaining(academyUrl) } });
});

test("the connection is tested with a test card that leaves no trace", async () => {
  const { gateway, lines, sandbox } = await openSandbox();
  expect(await gateway.testConnection()).toMatchObject({ success: true });
  expect((await gateway.merchantDetails()).publicClientKey).toBe(sandbox.gateway.clientKey);
  const names = { reference: "test-1", invoiceNumber: "test-1" };
  const card = { ...names, number: "4111111111111111", expiration: "1299", cvv: "900", amountCents: 100 };
  const outcome = await gateway.chargeTestCard(card);
  expect(outcome).toMatchObject({ kind: "approved", card: { brand: "Visa", last4: "1111" }, codes: { cvv: "M" } });
  const wrong = await gateway.chargeTestCard({ ...card, number: "4111111111111112", amountCents: 101 });
  expect(wrong).toMatchObject({ kind: "declined", codes: { reason: "6" } });
  for (const text of [lines.join(""), JSON.stringify([outcome, wrong])]) {
    expect(text).not.toContain("411111111111");
    expect(text).not.toMatch(/\b1299\b/);
  }
  const stranger = adapterAt(sandbox.gateway.apiUrl, { transactionKey: "sandbox-key-0002" }).gateway;
  expect(await stranger.testConnection()).toMatchObject({ success: false });
});

test("five failed calls stop charges at once, and a test of the connection is still sent [P31]", async () => {
  const { gateway } = adapterAt(`http://127.0.0.1:${await freePort()}/xml/v1/request.api`);
  for (let count = 0; count < 5; count++) {
    expect(await gateway.charge(charge)).toMatchObject({
      kind: "not-processed",
      reason: expect.stringContaining("(ECONNREFUSED)"),
    });
  }
  expect(await gateway.charge(charge)).toMatchObject({
    kind: "not-processed",
    reason: expect.stringContaining("a moment ago"),
  });
  await expect(gateway.testConnection()).rejects.toThrow("ECONNREFUSED");
});
