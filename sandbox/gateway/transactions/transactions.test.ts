import { expect, test } from "vitest";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";

async function openSandbox() {
  const running = await sandboxOfTest();
  const { api, call } = running;
  const charge = (invoiceNumber: string, more: object = {}) => running.charge({ order: { invoiceNumber }, ...more });
  const details = async (transId: string) => (await call("getTransactionDetailsRequest", { transId })).transaction;
  const goTo = (time: string) => api("POST", "clock", { set: time });
  return { ...running, charge, details, goTo };
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
  const { batchList } = await call("getSettledBatchListRequest", range);
  expect(batchList.map((batch: { settlementTimeUTC: string }) => batch.settlementTimeUTC)).toEqual([
    "2099-01-01T22:00:00Z",
    "2099-01-02T22:00:00Z",
  ]);
});

test("batches are listed for 31 days at most", async () => {
  const { charge, call, goTo } = await openSandbox();
  await goTo("2099-01-01T12:00:00Z");
  await charge("one");
  await goTo("2099-01-02T12:00:00Z");
  const listed = (firstSettlementDate: string, lastSettlementDate: string) =>
    call("getSettledBatchListRequest", { refId: "list-1", firstSettlementDate, lastSettlementDate });
  expect(await listed("2098-12-30T12:00:00Z", "2098-12-31T12:00:00Z")).toEqual({
    refId: "list-1",
    messages: { resultCode: "Ok", message: [{ code: "I00004", text: "No records found." }] },
  });
  const { batchList } = await listed("2099-01-01T12:00:00Z", "2099-01-02T12:00:00Z");
  expect(batchList).toHaveLength(1);
  expect((await listed("2099-01-01T00:00:00Z", "2099-02-01T00:00:01Z")).messages.resultCode).toBe("Error");
  const malformed = await listed("yesterday", "2099-01-02T12:00:00Z");
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

test("the duplicate check compares card, amount, invoice, customer, name and address, and nothing else", async () => {
  const { charge } = await openSandbox();
  const base = { customer: { id: "student-1" }, billTo: { firstName: "Ada", zip: "90210" } };
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
    });
  expect(errorIn(await charge("4111111111111112", "1299"))).toBe("6");
  expect(errorIn(await charge("4111111111111111", "9999"))).toBe("7");
  expect(errorIn(await charge("4111111111111111", "2020-01"))).toBe("8");
  expect(await ledger()).toEqual([]);
  const { transactionResponse } = await charge("4111111111111111", "12/2099");
  expect(transactionResponse).toMatchObject({ responseCode: "1", cvvResultCode: "N" });
});

test("held transactions are approved or declined once", async () => {
  const { charge, api, details } = await openSandbox();
  await api("POST", "gateway/next", { outcomes: ["hold", "hold"] });
  const one = (await charge("one")).transactionResponse.transId;
  const two = (await charge("two")).transactionResponse.transId;
  const decide = async (decision: string, transId: string) =>
    (await api("POST", "gateway/held", { transId, decision })).status;
  expect([await decide("approve", one), await decide("decline", two)]).toEqual([200, 200]);
  expect(await decide("approve", one)).toBe(400);
  expect(await details(one)).toMatchObject({
    transactionStatus: "capturedPendingSettlement",
    authCode: expect.stringMatching(/^.{6}$/),
  });
  expect(await details(two)).toMatchObject({ transactionStatus: "declined", responseReasonCode: 254 });
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
