import { expect, test } from "vitest";
import { gatewayReplying, sampleCharge } from "#test/stand-ins/scripted-gateway.ts";
import { GatewayUnavailable } from "../../gateway.ts";

const ok = { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] };
const error = (code: string, text = "") => ({ messages: { resultCode: "Error", message: [{ code, text }] } });
const refund = {
  reference: "refund-1",
  invoiceNumber: "refund-of-purchase-1",
  transactionId: "60200000001",
  last4: "1111",
  amountCents: 4900,
};
const newCard = {
  customerProfileId: "900000001",
  card: sampleCharge.card,
  firstName: "Ada",
  lastName: "Byron",
  zip: null,
};
const voiding = { transactionId: "60200000001", reference: "void-1" };
const { customer } = sampleCharge;
const paymentProfile = { customerProfileId: "900000001", paymentProfileId: "1800000001" };

const detailed = {
  transId: "60200000001",
  submitTimeUTC: "2026-03-01T10:00:00.123Z",
  submitTimeLocal: "2026-03-01T02:00:00.123",
  transactionType: "authCaptureTransaction",
  transactionStatus: "settledSuccessfully",
  responseCode: 1,
  responseReasonCode: 1,
  AVSResponse: "Y",
  cardCodeResponse: "M",
  batch: { batchId: "12300001", settlementTimeUTC: "2026-03-01T22:00:00Z", settlementTimeUTCSpecified: true },
  order: { invoiceNumber: "purchase-1", description: "Monthly Access", somethingNew: 1 },
  authAmount: 49.0,
  settleAmount: 49.0,
  taxExempt: false,
  taxExemptSpecified: true,
  payment: { creditCard: { cardNumber: "XXXX1111", expirationDate: "XXXX", cardType: "Visa" } },
  networkTransId: "N123",
  profile: { customerProfileId: "900000001", customerPaymentProfileId: "1800000001" },
};
const read = {
  transactionId: "60200000001",
  reference: "attempt-1",
  refersTo: null,
  invoiceNumber: "purchase-1",
  amountCents: 4900,
  state: "approved",
  isDisputeWon: false,
  settled: true,
  card: { brand: "Visa", last4: "1111" },
  networkTransactionId: "N123",
  paymentProfile,
  codes: { response: "1", reason: "1", avs: "Y", cvv: "M" },
  submittedAt: new Date("2026-03-01T10:00:00.123Z"),
};
const details = { transaction: detailed, transrefId: "attempt-1", messages: ok };
const detailShapes: readonly [string, object | string][] = [
  ["as it is recorded", details],
  ["without a byte order mark", JSON.stringify(details)],
  ["with the mark and with spaces around it", `\uFEFF ${JSON.stringify(details, null, 2)}\n`],
  [
    "wrapped, with one message",
    { getTransactionDetailsResponse: { ...details, messages: { ...ok, message: ok.message[0] } } },
  ],
  ["strings for numbers", { ...details, transaction: { ...detailed, responseCode: "1", authAmount: "49.00" } }],
  ["numbers for strings", { ...details, transaction: { ...detailed, transId: 60200000001 } }],
  ["a time without its zone", { ...details, transaction: { ...detailed, submitTimeUTC: "2026-03-01T10:00:00.123" } }],
  ["members that nobody knows", { somethingNew: { a: [] }, ...details, sessionToken: null }],
];

test.each(detailShapes)("a transaction is read %s", async (_shape, reply) => {
  const { gateway } = await gatewayReplying(reply);
  expect(await gateway.findTransaction("60200000001")).toEqual(read);
});

test.each([
  ["authorizedPendingCapture", "held", false],
  ["capturedPendingSettlement", "approved", false],
  ["communicationError", "failed", false],
  ["refundSettledSuccessfully", "refund", true],
  ["refundPendingSettlement", "refund", false],
  ["approvedReview", "approved", false],
  ["declined", "declined", false],
  ["couldNotVoid", "approved", true],
  ["expired", "failed", false],
  ["generalError", "failed", false],
  ["failedReview", "failed", false],
  ["settledSuccessfully", "approved", true],
  ["settlementError", "failed", true],
  ["underReview", "held", false],
  ["voided", "voided", false],
  ["FDSPendingReview", "held", false],
  ["FDSAuthorizedPendingReview", "held", false],
  ["returnedItem", "failed", true],
  ["chargeback", "disputed", true],
  ["chargebackReversal", "approved", true],
])("%s is %s", async (transactionStatus, state, settled) => {
  const { gateway } = await gatewayReplying({ ...details, transaction: { ...detailed, transactionStatus } });
  expect(await gateway.findTransaction("60200000001")).toMatchObject({ state, settled });
});

test("a transaction with an unknown status counts as no answer", async () => {
  for (const transactionStatus of ["takenByPirates", "constructor", undefined]) {
    const { gateway } = await gatewayReplying({ ...details, transaction: { ...detailed, transactionStatus } });
    await expect(gateway.findTransaction("60200000001")).rejects.toThrow(GatewayUnavailable);
  }
});

test("a refund names its charge", async () => {
  const transaction = { ...detailed, transactionType: "refundTransaction", refTransId: "60200000000" };
  const { gateway } = await gatewayReplying({ ...details, transaction });
  expect(await gateway.findTransaction("60200000001")).toMatchObject({ refersTo: "60200000000" });
});

const row = {
  transId: "60200000001",
  submitTimeUTC: "2026-03-01T10:00:00Z",
  transactionStatus: "capturedPendingSettlement",
  invoiceNumber: "purchase-1",
  accountType: "Visa",
  accountNumber: "XXXX1111",
  settleAmount: 49.0,
  hasReturnedItems: false,
  hasReturnedItemsSpecified: false,
};
const listed = {
  transactionId: "60200000001",
  invoiceNumber: "purchase-1",
  amountCents: 4900,
  state: "approved",
  isDisputeWon: false,
  submittedAt: new Date("2026-03-01T10:00:00Z"),
};

test.each<[string, object, object[]]>([
  ["a list", { transactions: [row], totalNumInResultSet: 1, messages: ok }, [listed]],
  ["one object", { transactions: row, messages: ok }, [listed]],
  ["a list under its element's name", { transactions: { transaction: [row] }, messages: ok }, [listed]],
  ["one object under its element's name", { transactions: { transaction: row }, messages: ok }, [listed]],
  ["no list", { messages: { resultCode: "Ok", message: [{ code: "I00004", text: "No records found." }] } }, []],
  ["no list and one message", { messages: { resultCode: "Ok", message: { code: "I00004" } } }, []],
  ["an empty list", { transactions: [], messages: ok }, []],
  [
    "a row without an invoice",
    { transactions: [{ ...row, invoiceNumber: undefined }], messages: ok },
    [{ ...listed, invoiceNumber: null }],
  ],
  [
    "a status that nobody knows",
    { transactions: [{ ...row, transactionStatus: "new" }], messages: ok },
    [{ ...listed, state: "held" }],
  ],
])("transactions are read from %s", async (_shape, reply, rows) => {
  const { gateway } = await gatewayReplying(reply);
  expect(await gateway.listUnsettled()).toEqual(rows);
});

test.each<[string, object[], object[]]>([
  ["no batches", [{ messages: ok }], []],
  [
    "one batch",
    [
      { batchList: [{ batchId: "1", settlementTimeUTCSpecified: true }], messages: ok },
      { transactions: row, messages: ok },
    ],
    [listed],
  ],
  [
    "batches in XML's way",
    [
      { batchList: { batch: { batchId: 1 } }, messages: ok },
      { transactions: [row], messages: ok },
    ],
    [listed],
  ],
  ["an empty batch", [{ batchList: [{ batchId: "1" }], messages: ok }, { messages: ok }], []],
])("what has settled is read from %s", async (_shape, replies, rows) => {
  const { gateway } = await gatewayReplying(...replies);
  expect(await gateway.listSettled({ from: new Date("2026-03-01"), to: new Date("2026-03-02") })).toEqual(rows);
});

const done = (transactionResponse: object) => ({ transactionResponse, refId: "refund-1", messages: ok });
const failed = (responseCode: string, errorCode: string) => ({
  transactionResponse: { responseCode, transId: "0", errors: [{ errorCode, errorText: "" }] },
  refId: "refund-1",
  ...error("E00027"),
});

test.each<[string, object, object]>([
  ["approved", done({ responseCode: "1", transId: "60200000002" }), { kind: "returned", transactionId: "60200000002" }],
  [
    "approved, in numbers",
    done({ responseCode: 1, transId: 60200000002 }),
    { kind: "returned", transactionId: "60200000002" },
  ],
  ["approved without a number", done({ responseCode: "1", transId: "0" }), { kind: "unknown" }],
  ["approved for another", { ...done({ responseCode: "1", transId: "7" }), refId: "other" }, { kind: "unknown" }],
  ["approved for nobody", { ...done({ responseCode: "1", transId: "7" }), refId: undefined }, { kind: "unknown" }],
  ["held", done({ responseCode: "4", transId: "7" }), { kind: "held", transactionId: "7" }],
  ["held without a number", done({ responseCode: "4", transId: "0" }), { kind: "unknown" }],
  [
    "with a number and errors",
    done({ responseCode: "1", transId: "7", errors: [{ errorCode: "2" }] }),
    { kind: "unknown" },
  ],
  ["declined", failed("2", "2"), { kind: "refused", reason: "other" }],
  ["declined under response code 3", failed("3", "205"), { kind: "refused", reason: "other" }],
  ["55 under response code 1", failed("1", "55"), { kind: "refused", reason: "too-much" }],
  ["16", failed("3", "16"), { kind: "refused", reason: "other" }],
  ["54", failed("3", "54"), { kind: "refused", reason: "not-settled" }],
  ["50", failed("3", "50"), { kind: "refused", reason: "not-settled" }],
  ["55", failed("3", "55"), { kind: "refused", reason: "too-much" }],
  ["made before", failed("3", "11"), { kind: "unknown", isDuplicate: true, codes: { reason: "11" } }],
  ["lost on the way", failed("3", "19"), { kind: "unknown" }],
  ["13", failed("3", "13"), { kind: "not-processed" }],
  ["without a result", { transactionResponse: {}, ...error("E00001") }, { kind: "unknown" }],
  ["without a message", { transactionResponse: {}, messages: { resultCode: "Error" } }, { kind: "unknown" }],
  ["with nothing", {}, { kind: "unknown" }],
  ["for a bad login", error("E00007"), { kind: "not-processed" }],
  ["as malformed", error("E00003"), { kind: "not-processed" }],
])("a refund that is answered %s", async (_how, reply, outcome) => {
  const { gateway } = await gatewayReplying(reply);
  expect(await gateway.refund(refund)).toMatchObject(outcome);
});

const voided = { kind: "returned", transactionId: "60200000001" };

test.each<[string, object, object]>([
  ["approved", { responseCode: "1", transId: "60200000001", messages: [{ code: "1" }] }, voided],
  ["voided before", { responseCode: "1", transId: "60200000001", messages: { code: "310" } }, voided],
  ["voided before, as an error", { responseCode: "3", errors: [{ errorCode: "310" }] }, voided],
  ["not found", { responseCode: "3", errors: [{ errorCode: "16" }] }, { kind: "refused", reason: "settled" }],
  ["too late", { responseCode: "3", errors: { errorCode: "327" } }, { kind: "refused", reason: "settled" }],
  ["not at all", {}, { kind: "unknown" }],
])("a void that is answered %s", async (_how, transactionResponse, outcome) => {
  const { gateway } = await gatewayReplying({ transactionResponse, refId: "void-1", messages: ok });
  expect(await gateway.voidTransaction(voiding)).toMatchObject(outcome);
});

const kept = { kind: "kept", paymentProfile };
const refused = { kind: "failed", why: "refused" };
const tooMany = { kind: "failed", why: "too-many-cards" };
const unknown = { kind: "failed", why: "unknown" };
const made = { customerProfileId: "900000001", customerPaymentProfileId: "1800000001" };

test.each<[string, object, object]>([
  ["stored", { ...made, validationDirectResponse: "1,1,1,,", messages: ok }, kept],
  ["stored, in numbers", { customerPaymentProfileId: 1800000001, messages: ok }, kept],
  ["there already", { ...made, ...error("E00039") }, kept],
  ["there already, in words", error("E00039", "A duplicate record with ID 1800000001 already exists."), kept],
  ["one too many", error("E00042", "You cannot add more than 10 payment profiles."), tooMany],
  ["nobody's", error("E00040"), { kind: "failed", why: "no-such-customer" }],
  ["with a spent token", error("E00114"), { kind: "declined", message: "Please enter your card again." }],
  [
    "declined",
    { ...error("E00027"), validationDirectResponse: "2,1,4,Declined,,N,0" },
    { kind: "declined", hard: true, codes: { response: "2", reason: "4", avs: "N" } },
  ],
  ["declined without a reason", error("E00027"), { kind: "declined", hard: false }],
  ["malformed", error("E00003"), refused],
  ["with an error of the gateway", error("E00001"), unknown],
  ["stored without a number", { messages: ok }, unknown],
])("a new card that is answered %s", async (_how, reply, outcome) => {
  const { gateway } = await gatewayReplying(reply);
  expect(await gateway.addCard(newCard)).toMatchObject(outcome);
});

const duplicateCustomer = error("E00039", "A duplicate record with ID 900000001 already exists.");
const duplicateCard = error("E00039", "A duplicate customer payment profile already exists.");
const profileMade = { customerProfileId: "900000001", customerPaymentProfileIdList: ["1800000001"], messages: ok };
const profileRead = {
  profile: {
    paymentProfiles: [
      { customerPaymentProfileId: "1800000000", payment: { creditCard: { cardNumber: "XXXX0015" } } },
      { customerPaymentProfileId: "1800000001", payment: { creditCard: { cardNumber: "XXXX1111" } } },
    ],
  },
  messages: ok,
};

test.each<[string, object[], object]>([
  ["with a new customer", [profileMade], kept],
  ["in XML's way of lists", [{ ...profileMade, customerPaymentProfileIdList: { numericString: 1800000001 } }], kept],
  ["with a customer who is known", [duplicateCustomer, profileMade], kept],
  ["which is known", [duplicateCustomer, duplicateCard, details, profileRead], kept],
  ["which is known, and gone by then", [duplicateCustomer, duplicateCard, details, error("E00040")], refused],
  ["which is known, but not told by then", [duplicateCustomer, duplicateCard, error("E00001"), profileRead], unknown],
  ["for a bad login", [error("E00007")], unknown],
  ["as one too many", [duplicateCustomer, error("E00042")], tooMany],
  ["of no charge", [error("E00099")], refused],
  ["of nobody", [error("E00102")], refused],
  ["or not, who knows", [error("E00001")], unknown],
])("the card of a charge is stored %s", async (_how, replies, outcome) => {
  const { gateway, requests } = await gatewayReplying(...replies);
  expect(await gateway.keepCardOf("60200000001", customer)).toMatchObject(outcome);
  expect(requests).toHaveLength(replies.length);
});

test("a stored card has its brand and last digits, and deleting an absent one succeeds", async () => {
  const shown = { payment: detailed.payment };
  const { gateway } = await gatewayReplying({ paymentProfile: shown, messages: ok }, error("E00040"));
  expect(await gateway.findCard(paymentProfile)).toEqual({ brand: "Visa", last4: "1111" });
  expect(await gateway.findCard(paymentProfile)).toBeNull();
  await gateway.deleteCard(paymentProfile);
  await gateway.deleteCustomer("900000001");
  const denied = await gatewayReplying(error("E00011"));
  await expect(denied.gateway.deleteCard(paymentProfile)).rejects.toThrow("E00011");
});

test("the connection test distinguishes a wrong login from an unreachable gateway", async () => {
  const { gateway } = await gatewayReplying({ messages: ok }, error("E00007"), "no JSON");
  expect(await gateway.testConnection()).toMatchObject({ success: true });
  expect(await gateway.testConnection()).toMatchObject({ success: false, message: expect.stringContaining("E00007") });
  await expect(gateway.testConnection()).rejects.toThrow(GatewayUnavailable);
});

test("the merchant's own details can be compared with the configuration", async () => {
  const merchantDetails = { isTestMode: false, merchantName: "Academy", gatewayId: 100001, currencies: ["USD"] };
  const { gateway } = await gatewayReplying(
    { ...merchantDetails, publicClientKey: "5Fc8", messages: ok },
    { messages: ok },
  );
  expect(await gateway.merchantDetails()).toEqual({
    name: "Academy",
    gatewayId: "100001",
    currencies: ["USD"],
    publicClientKey: "5Fc8",
    isTestMode: false,
  });
  expect(await gateway.merchantDetails()).toMatchObject({ name: null, currencies: [], publicClientKey: null });
});
