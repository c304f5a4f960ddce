import { expect, test } from "vitest";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { schemaErrorOf } from "#sandbox/gateway/schema.ts";
import { type adapterAt, gatewayThat, sampleCharge } from "#test/stand-ins/scripted-gateway.ts";
import type { Gateway } from "../../gateway.ts";

const day = (text: string) => new Date(`${text}T10:00:00.250Z`);
const twenty = "c".repeat(20);
/** Longer than every field, with what XML cannot carry and with characters that a cut may halve. */
const long = "x\u0000\ud83d\ude00".repeat(200);

const { card } = sampleCharge;
const paymentProfile = { customerProfileId: "900000001", paymentProfileId: "1800000001" };
const customer = { ...sampleCharge.customer, id: twenty };
const charge = { ...sampleCharge, reference: twenty, invoiceNumber: twenty, customer };
const renewal = { ...charge, paymentProfile, first: { networkTransactionId: "N".repeat(23), amountCents: 4900 } };
const unmarked = { ...renewal, first: { networkTransactionId: null, amountCents: 4900 } };
const awkward = { id: twenty, email: `${"e".repeat(250)}@academy.test`, firstName: long, lastName: " " };

/** Everything that the adapter can be asked for. */
const requests: readonly [string, (gateway: Gateway) => Promise<unknown>][] = [
  ["a charge", (gateway) => gateway.charge(charge)],
  ["a charge that stores the card", (gateway) => gateway.charge({ ...charge, storeCard: true })],
  ["a charge of awkward people", (gateway) => gateway.charge({ ...charge, description: long, customer: awkward })],
  ["a charge of a stored card", (gateway) => gateway.chargeStored(renewal)],
  ["a charge without its original", (gateway) => gateway.chargeStored(unmarked)],
  ["a test card", (gateway) => gateway.chargeTestCard(testCard)],
  ["a void", (gateway) => gateway.voidTransaction(voiding)],
  ["a refund", (gateway) => gateway.refund(refund)],
  ["details", (gateway) => gateway.findTransaction("60200000001").catch(() => null)],
  ["unsettled transactions", (gateway) => gateway.listUnsettled()],
  ["batches", (gateway) => gateway.listSettled({ from: day("2026-01-01"), to: day("2026-01-31") })],
  ["a new card", (gateway) => gateway.addCard({ ...newCard, firstName: long, lastName: "" })],
  ["a new card with its ZIP", (gateway) => gateway.addCard({ ...newCard, zip: "9".repeat(30) })],
  ["the card of a charge", (gateway) => gateway.keepCardOf("60200000001", awkward)],
  ["a stored card", (gateway) => gateway.findCard(paymentProfile)],
  ["forgetting a card", (gateway) => gateway.deleteCard(paymentProfile)],
  ["forgetting a customer", (gateway) => gateway.deleteCustomer("900000001")],
  ["the connection test", (gateway) => gateway.testConnection()],
  ["the merchant", (gateway) => gateway.merchantDetails()],
];

const testCard = {
  reference: twenty,
  invoiceNumber: twenty,
  number: "4111111111111111",
  expiration: "1230",
  cvv: "900",
  amountCents: 100,
};
const newCard = { customerProfileId: "900000001", card, firstName: "Ada", lastName: "Byron", zip: null };
const voiding = { transactionId: "60200000001", reference: twenty };
const refund = {
  reference: twenty,
  invoiceNumber: twenty,
  transactionId: "60200000001",
  last4: "1111",
  amountCents: 1,
};

/** What the adapter sends for this, and nothing more than one request of it. */
async function sentBy(ask: (gateway: Gateway) => Promise<unknown>, more: Parameters<typeof adapterAt>[1] = {}) {
  const texts: string[] = [];
  const { gateway } = await gatewayThat(async (request, response) => {
    expect(request.headers["content-type"]).toBe("application/json");
    texts.push(Buffer.concat(await request.toArray()).toString());
    response.end(JSON.stringify({ messages: { resultCode: "Ok", message: [{ code: "I00001", text: "" }] } }));
  }, more);
  await ask(gateway);
  expect(texts).toHaveLength(1);
  const [text = ""] = texts;
  expect(text.isWellFormed()).toBe(true);
  const [[name, content]] = Object.entries(JSON.parse(text)) as [[string, Record<string, unknown>]];
  return { name, content };
}

test.each(requests)("%s has the schema's order, required elements and lengths", async (_what, ask) => {
  const { name, content } = await sentBy(ask);
  expect(schemaErrorOf(name, content)).toBeNull();
  expect(content.merchantAuthentication).toEqual({
    name: merchant.apiLoginId,
    transactionKey: merchant.transactionKey,
  });
});

test("a charge carries what its duplicate check and its recovery need, and no card number", async () => {
  const { content } = await sentBy((gateway) => gateway.charge({ ...charge, storeCard: true }));
  expect(content).toEqual({
    merchantAuthentication: { name: merchant.apiLoginId, transactionKey: merchant.transactionKey },
    refId: twenty,
    transactionRequest: {
      transactionType: "authCaptureTransaction",
      amount: "49.00",
      payment: { opaqueData: { dataDescriptor: card.descriptor, dataValue: card.value } },
      profile: { createProfile: true },
      order: { invoiceNumber: twenty, description: "Monthly Access" },
      customer: { type: "individual", id: twenty, email: "ada@academy.test" },
      billTo: { firstName: "Ada", lastName: "Byron" },
      transactionSettings: {
        setting: [
          { settingName: "allowPartialAuth", settingValue: "false" },
          { settingName: "duplicateWindow", settingValue: "28800" },
          { settingName: "emailCustomer", settingValue: "false" },
        ],
      },
      processingOptions: { isFirstRecurringPayment: true },
    },
  });
});

test("a renewal says that it is one, and of which agreement, unless the processor takes no such marks", async () => {
  const ask = (gateway: Gateway) => gateway.chargeStored(renewal);
  const marked = (await sentBy(ask)).content.transactionRequest;
  expect(marked).toMatchObject({
    profile: { customerProfileId: "900000001", paymentProfile: { paymentProfileId: "1800000001" } },
    transactionSettings: {
      setting: expect.arrayContaining([{ settingName: "recurringBilling", settingValue: "true" }]),
    },
    processingOptions: { isSubsequentAuth: true },
    subsequentAuthInformation: { originalNetworkTransId: "N".repeat(23), originalAuthAmount: "49.00" },
  });
  const plain = (await sentBy(ask, { cardOnFile: false })).content.transactionRequest;
  for (const content of [plain, (await sentBy(requests[4]?.[1] ?? ask)).content.transactionRequest]) {
    expect(content).not.toHaveProperty("processingOptions");
    expect(content).not.toHaveProperty("subsequentAuthInformation");
  }
  const first = (gateway: Gateway) => gateway.charge({ ...charge, storeCard: true });
  expect((await sentBy(first, { cardOnFile: false })).content.transactionRequest).not.toHaveProperty(
    "processingOptions",
  );
});

test("a refund names the original and its card's last digits", async () => {
  const { content } = await sentBy((gateway) => gateway.refund(refund));
  expect(content.transactionRequest).toMatchObject({
    transactionType: "refundTransaction",
    amount: "0.01",
    payment: { creditCard: { cardNumber: "1111", expirationDate: "XXXX" } },
    refTransId: "60200000001",
  });
});

test("a request that does not fit the gateway's fields is not sent", async () => {
  const { gateway } = await gatewayThat(() => expect.unreachable());
  const long21 = "r".repeat(21);
  const unsent = [
    gateway.charge({ ...charge, reference: long21 }),
    gateway.charge({ ...charge, invoiceNumber: "" }),
    gateway.charge({ ...charge, amountCents: 49.5 }),
    gateway.charge({ ...charge, amountCents: 0 }),
    gateway.chargeStored({ ...renewal, invoiceNumber: long21 }),
    gateway.chargeStored({ ...renewal, paymentProfile: { ...paymentProfile, paymentProfileId: "x" } }),
    gateway.refund({ ...refund, last4: "4111111111111111" }),
    gateway.refund({ ...refund, amountCents: -1 }),
    gateway.refund({ ...refund, transactionId: "" }),
    gateway.voidTransaction({ ...voiding, transactionId: "no number" }),
  ];
  for (const outcome of await Promise.all(unsent)) expect(outcome).toMatchObject({ kind: "not-processed" });
  expect(await gateway.findTransaction("no number")).toBeNull();
  expect(await gateway.findCard({ ...paymentProfile, customerProfileId: "" })).toBeNull();
  expect(await gateway.keepCardOf("1", { ...charge.customer, id: long21 })).toMatchObject({ kind: "failed" });
  expect(await gateway.addCard({ ...newCard, customerProfileId: "x" })).toMatchObject({ why: "no-such-customer" });
  expect(await gateway.listSettled({ from: day("2026-02-01"), to: day("2026-01-01") })).toEqual([]);
});

test("where cards are real no card number is ever sent", async () => {
  const { gateway } = await gatewayThat(() => expect.unreachable(), { environment: "production" });
  expect(await gateway.chargeTestCard(testCard)).toMatchObject({ kind: "not-processed" });
});

test("a long range is queried in parts, and a batch in two of them counts once", async () => {
  const ranges: number[] = [];
  const pages: unknown[] = [];
  const { gateway } = await gatewayThat(async (request, response) => {
    const call = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const messages = { resultCode: "Ok", message: [{ code: "I00001", text: "" }] };
    if (call.getTransactionListRequest) {
      pages.push(call.getTransactionListRequest.paging);
      expect(schemaErrorOf("getTransactionListRequest", call.getTransactionListRequest)).toBeNull();
      const full = pages.length === 1 ? 1000 : 1;
      const first = 60_200_000_000 + 1000 * pages.length;
      const row = { submitTimeUTC: "2026-01-02T10:00:00Z", settleAmount: 49 };
      const transactions = Array.from({ length: full }, (_, at) => ({ ...row, transId: String(first + at) }));
      return response.end(JSON.stringify({ transactions, messages }));
    }
    const { firstSettlementDate, lastSettlementDate } = call.getSettledBatchListRequest;
    ranges.push(Date.parse(lastSettlementDate) - Date.parse(firstSettlementDate));
    return response.end(JSON.stringify({ batchList: [{ batchId: "12300001" }], messages }));
  });
  expect(await gateway.listSettled({ from: day("2026-01-01"), to: day("2026-04-01") })).toHaveLength(1001);
  expect(ranges).toHaveLength(3);
  for (const range of ranges) expect(range).toBeLessThanOrEqual(31 * 86_400_000);
  expect(pages).toEqual([
    { limit: 1000, offset: 1 },
    { limit: 1000, offset: 2 },
  ]);
});
