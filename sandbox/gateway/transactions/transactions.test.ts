import { expect, test } from "vitest";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";
import { merchant } from "../gateway.ts";

const merchantAuthentication = { name: merchant.apiLoginId, transactionKey: merchant.transactionKey };

async function openSandbox() {
  const running = await sandboxOfTest();
  const { gateway, api, tokenize } = running;
  const call = async (name: string, content: object = {}) =>
    (await gateway({ [name]: { merchantAuthentication, ...content } })).reply();
  const transact = (transactionRequest: object, refId = "ref-1") =>
    call("createTransactionRequest", { refId, transactionRequest });
  const charge = async (invoiceNumber: string, more: object = {}) =>
    transact({
      transactionType: "authCaptureTransaction",
      amount: "49.00",
      payment: { opaqueData: { dataDescriptor: "COMMON.ACCEPT.INAPP.PAYMENT", dataValue: await tokenize() } },
      order: { invoiceNumber },
      ...more,
    });
  const details = async (transId: string) => (await call("getTransactionDetailsRequest", { transId })).transaction;
  const goTo = (time: string) => api("POST", "clock", { set: time });
  return { ...running, call, transact, charge, details, goTo };
}

const creditCard = { cardNumber: "1111", expirationDate: "XXXX" };
const refundOf = (refTransId: string, amount = "49.00", invoiceNumber = "refund-1") => ({
  transactionType: "refundTransaction",
  amount,
  payment: { creditCard },
  refTransId,
  order: { invoiceNumber },
});
const errorIn = (reply: { transactionResponse: { errors: { errorCode: string }[] } }) =>
  reply.transactionResponse.errors[0]?.errorCode;

test("charges before 22:00 UTC settle at 22:00, later ones a day later", async () => {
  const { charge, call, details, goTo } = await openSandbox();
  await goTo("2099-01-01T21:59:00Z");
  const early = (await charge("early")).transactionResponse.transId;
  await goTo("2099-01-01T22:00:01Z");
  const late = (await charge("late")).transactionResponse.transId;
  expect((await details(early)).transactionStatus).toBe("settledSuccessfully");
  expect((await details(early)).batch).toMatchObject({
    settlementTimeUTC: "2099-01-01T22:00:00Z",
    settlementTimeUTCSpecified: true,
    settlementState: "settledSuccessfully",
  });
  expect((await details(late)).transactionStatus).toBe("capturedPendingSettlement");
  const unsettled = await call("getUnsettledTransactionListRequest");
  expect(unsettled.transactions.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber)).toEqual(["late"]);

  // Days without transactions have no batch.
  await goTo("2099-01-20T00:00:00Z");
  const range = { firstSettlementDate: "2099-01-01T00:00:00Z", lastSettlementDate: "2099-01-31T00:00:00Z" };
  const { batchList } = await call("getSettledBatchListRequest", { includeStatistics: true, ...range });
  expect(batchList.map((batch: { settlementTimeUTC: string }) => batch.settlementTimeUTC)).toEqual([
    "2099-01-01T22:00:00Z",
    "2099-01-02T22:00:00Z",
  ]);
  expect(batchList[0].statistics).toEqual([
    expect.objectContaining({ accountType: "Visa", chargeAmount: 49, chargeCount: 1, refundCount: 0, voidCount: 0 }),
  ]);
});

test("batches are listed for the last day by default and for 31 days at most", async () => {
  const { charge, call, goTo } = await openSandbox();
  await goTo("2099-01-01T12:00:00Z");
  await charge("one");
  const none = await call("getSettledBatchListRequest", { refId: "list-1" });
  expect(none).toEqual({
    refId: "list-1",
    messages: { resultCode: "Ok", message: [{ code: "I00004", text: "No records found." }] },
  });
  await goTo("2099-01-02T12:00:00Z");
  const { batchList } = await call("getSettledBatchListRequest");
  expect(batchList).toHaveLength(1);
  expect(batchList[0]).not.toHaveProperty("statistics");
  const long = { firstSettlementDate: "2099-01-01T00:00:00Z", lastSettlementDate: "2099-02-01T00:00:01Z" };
  expect((await call("getSettledBatchListRequest", long)).messages.resultCode).toBe("Error");
  const malformed = await call("getSettledBatchListRequest", { firstSettlementDate: "yesterday" });
  expect(malformed.messages.message[0].text).toContain("is not a valid DateTime value");
  const { batchId } = batchList[0];
  const { transactions, totalNumInResultSet } = await call("getTransactionListRequest", { batchId });
  expect([transactions.length, totalNumInResultSet]).toEqual([1, 1]);
  expect((await call("getTransactionListRequest", { batchId: "1" })).messages.message[0].code).toBe("I00004");
});

test("a void's reply has the original's id in both fields, and a repeated void changes nothing", async () => {
  const { charge, transact, details, ledger } = await openSandbox();
  const { transId } = (await charge("one")).transactionResponse;
  const voiding = { transactionType: "voidTransaction", refTransId: transId };
  const reply = await transact(voiding);
  expect(Object.keys(reply)).toEqual(["transactionResponse", "refId", "messages"]);
  expect(reply.transactionResponse).toMatchObject({
    responseCode: "1",
    transId,
    refTransID: transId,
    messages: [{ code: "1", description: "This transaction has been approved." }],
  });
  expect((await transact(voiding)).transactionResponse).toMatchObject({
    responseCode: "1",
    messages: [{ code: "310", description: "This transaction has already been voided." }],
  });
  expect(await details(transId)).toMatchObject({ transactionStatus: "voided", settleAmount: 0, authAmount: 49 });
  expect(await ledger()).toEqual([expect.objectContaining({ transId, status: "voided" })]);
  expect(errorIn(await transact({ ...voiding, refTransId: "999" }))).toBe("16");
});

test("a refund follows the gateway's rules", async () => {
  const { charge, transact, api, goTo, details } = await openSandbox();
  await goTo("2099-01-01T12:00:00Z");
  const { transId } = (await charge("one")).transactionResponse;
  expect(errorIn(await transact(refundOf(transId)))).toBe("54");
  await goTo("2099-01-02T12:00:00Z");
  expect(errorIn(await transact({ transactionType: "voidTransaction", refTransId: transId }))).toBe("16");
  expect(errorIn(await transact(refundOf("999")))).toBe("16");
  expect(errorIn(await transact(refundOf(transId, "0.00")))).toBe("5");
  expect(errorIn(await transact(refundOf(transId, "49.01")))).toBe("55");
  expect(errorIn(await transact({ ...refundOf(transId), refTransId: undefined }))).toBe("54");
  const reply = await transact(refundOf(transId, "9.00"), "refund-ref-1");
  expect(reply.transactionResponse).toMatchObject({
    responseCode: "1",
    refTransID: transId,
    accountNumber: "XXXX1111",
  });
  expect(errorIn(await transact(refundOf(transId, "9.00")))).toBe("11");
  expect(errorIn(await transact(refundOf(transId, "40.01", "refund-2")))).toBe("55");
  const refund = reply.transactionResponse.transId;
  expect(errorIn(await transact(refundOf(refund, "9.00", "refund-3")))).toBe("54");
  expect(await details(refund)).toMatchObject({
    transactionType: "refundTransaction",
    transactionStatus: "refundPendingSettlement",
    refTransId: transId,
    authAmount: 9,
  });
  await goTo("2099-01-03T12:00:00Z");
  expect((await details(refund)).transactionStatus).toBe("refundSettledSuccessfully");
  await api("POST", "gateway/next", { outcomes: ["decline"] });
  expect(errorIn(await transact(refundOf(transId, "1.00", "refund-4")))).toBe("2");
  await goTo("2099-05-03T12:00:00Z");
  expect(errorIn(await transact(refundOf(transId, "1.00", "refund-5")))).toBe("54");
});

test("an authorisation is settled only after its capture", async () => {
  const { charge, transact, details, goTo } = await openSandbox();
  await goTo("2099-01-01T12:00:00Z");
  const { transId } = (await charge("one", { transactionType: "authOnlyTransaction" })).transactionResponse;
  await goTo("2099-01-03T12:00:00Z");
  expect((await details(transId)).transactionStatus).toBe("authorizedPendingCapture");
  const capture = { transactionType: "priorAuthCaptureTransaction", refTransId: transId };
  expect(
    errorIn(await transact({ transactionType: "priorAuthCaptureTransaction", amount: "50.00", refTransId: transId })),
  ).toBe("47");
  expect((await transact(capture)).transactionResponse.messages[0].code).toBe("1");
  expect((await transact(capture)).transactionResponse.messages[0].code).toBe("311");
  await goTo("2099-01-03T22:00:00Z");
  expect((await details(transId)).transactionStatus).toBe("settledSuccessfully");
});

test("the duplicate check compares card, amount, invoice, customer, name and address, and nothing else", async () => {
  const { charge } = await openSandbox();
  // The order is the schema's.
  const base = { poNumber: undefined, customer: { id: "student-1" }, billTo: { firstName: "Ada", zip: "90210" } };
  const codeOf = async (invoice: string, more: object = {}) => {
    const { transactionResponse } = await charge(invoice, { ...base, ...more });
    return transactionResponse.responseCode === "1" ? "1" : transactionResponse.errors[0].errorCode;
  };
  expect(await codeOf("one")).toBe("1");
  expect(await codeOf("one")).toBe("11");
  const phone = { ...base.billTo, phoneNumber: "555" };
  expect(await codeOf("one", { billTo: phone })).toBe("11");
  expect(await codeOf("one", { order: { invoiceNumber: "one", description: "Another text" } })).toBe("11");
  expect(await codeOf("two")).toBe("1");
  expect(await codeOf("one", { amount: "49.01" })).toBe("1");
  expect(await codeOf("one", { poNumber: "po-1" })).toBe("1");
  expect(await codeOf("one", { customer: { id: "student-2" } })).toBe("1");
  expect(await codeOf("one", { billTo: { ...base.billTo, zip: "90211" } })).toBe("1");
  const windowOf = (settingValue: string) => ({
    transactionSettings: { setting: { settingName: "duplicateWindow", settingValue } },
  });
  expect(await codeOf("one", windowOf("300"))).toBe("1");
  expect(await codeOf("one", windowOf("0"))).toBe("1");
  expect(await codeOf("one", windowOf("0"))).toBe("1");
  const other = { creditCard: { cardNumber: "4007000000027", expirationDate: "2099-12" } };
  expect(await codeOf("one", { payment: other })).toBe("1");
  expect(await codeOf("one", { payment: other })).toBe("11");
});

test("a card's number and date are validated", async () => {
  const { transact, ledger } = await openSandbox();
  const charge = (cardNumber: string, expirationDate: string) =>
    transact({
      transactionType: "authCaptureTransaction",
      amount: 1,
      payment: { creditCard: { cardNumber, expirationDate, cardCode: "901" } },
      userFields: { userField: [{ name: "echo", value: "1" }] },
    });
  expect(errorIn(await charge("4111111111111112", "1299"))).toBe("6");
  expect(errorIn(await charge("4111111111111111", "9999"))).toBe("7");
  expect(errorIn(await charge("4111111111111111", "2020-01"))).toBe("8");
  expect(await ledger()).toEqual([]);
  const { transactionResponse } = await charge("4111111111111111", "12/2099");
  expect(transactionResponse).toMatchObject({ responseCode: "1", cvvResultCode: "N", userFields: [{ name: "echo" }] });
});

test("held transactions are listed until they are approved or declined, once", async () => {
  const { charge, api, call, details } = await openSandbox();
  await api("POST", "gateway/next", { outcomes: ["hold", "hold"] });
  const one = (await charge("one")).transactionResponse.transId;
  const two = (await charge("two")).transactionResponse.transId;
  await charge("three");
  const pending = await call("getUnsettledTransactionListRequest", { status: "pendingApproval" });
  expect(pending.transactions).toHaveLength(2);
  const decide = (action: string, refTransId: string) =>
    call("updateHeldTransactionRequest", { refId: "held-1", heldTransactionRequest: { action, refTransId } });
  expect((await decide("approve", one)).transactionResponse).toMatchObject({
    responseCode: "1",
    transId: one,
    authCode: expect.stringMatching(/^.{6}$/),
  });
  expect((await decide("decline", two)).transactionResponse).toMatchObject({
    responseCode: "2",
    errors: [{ errorCode: "254" }],
  });
  expect(errorIn(await decide("approve", one))).toBe("16");
  expect((await decide("ponder", one)).messages.message[0].text).toContain("Enumeration");
  expect((await details(one)).transactionStatus).toBe("capturedPendingSettlement");
  expect((await details(two)).transactionStatus).toBe("declined");
});

test("only transitions that the gateway allows can be staged", async () => {
  const { charge, api, goTo, details } = await openSandbox();
  await goTo("2099-01-01T12:00:00Z");
  const { transId } = (await charge("one")).transactionResponse;
  const stage = (as: string, id = transId) => api("POST", "gateway/stage", { transId: id, as });
  const refused = [
    stage("chargeback"),
    stage("refundedElsewhere"),
    stage("settlementError", "999"),
    stage("party"),
    api("POST", "gateway/held", { transId, decision: "approve" }),
    api("POST", "gateway/held", { transId, decision: "maybe" }),
  ];
  for (const { status, content } of await Promise.all(refused)) {
    expect(status).toBe(400);
    expect(content.message).toMatch(/\.$/);
  }
  expect((await stage("settlementError")).content).toMatchObject({ transId, status: "settlementError" });
  expect((await details(transId)).batch.settlementState).toBe("settlementError");
  const second = (await charge("two")).transactionResponse.transId;
  await goTo("2099-01-02T12:00:00Z");
  expect((await stage("refundedElsewhere", second)).status).toBe(200);
  expect((await stage("refundedElsewhere", second)).status).toBe(400);
});

test("an XML request gets an XML reply that the sandbox accepts JSON", async () => {
  const { sandbox } = await openSandbox();
  const body = '<?xml version="1.0"?><authenticateTestRequest/>';
  const response = await fetch(sandbox.gateway.apiUrl, {
    method: "POST",
    headers: { "content-type": "text/xml" },
    body,
  });
  expect(response.headers.get("content-type")).toContain("xml");
  expect(await response.text()).toContain("<code>E00003</code>");
});
