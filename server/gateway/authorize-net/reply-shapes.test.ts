import fc from "fast-check";
import { expect, test } from "vitest";
import { chargeOutcomeOf } from "./charge-outcomes.ts";
import { replyOf } from "./conversation/replies.ts";

const asked = { reference: "attempt-000000000001", amountCents: 4900 };

const ok = { resultCode: "Ok", message: [{ code: "I00001", text: "Successful." }] };
const failed = (code: string) => ({ resultCode: "Error", message: [{ code, text: "" }] });
const reply = (transactionResponse: object, messages: object = ok) => ({
  transactionResponse,
  refId: asked.reference,
  messages,
});
const approved = { responseCode: "1", transId: "60200000001", messages: [{ code: "1" }] };
const refused = (responseCode: string, errorCode: string, transId = "0") => ({
  responseCode,
  transId,
  errors: [{ errorCode, errorText: "" }],
});
/** An error reply with this response code and reason. */
const refusal = (responseCode: string, errorCode: string) => reply(refused(responseCode, errorCode), failed("E00027"));

function read(content: object | string) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const parsed = replyOf(text);
  return parsed ? chargeOutcomeOf(parsed, asked) : { kind: "no reply" };
}

/** How replies look that were recorded from the gateway, and what each says. */
const shapes: readonly [string, object | string, object][] = [
  ["an approval", reply(approved), { kind: "approved", transactionId: "60200000001" }],
  ["an approval with a byte order mark in front", `\uFEFF${JSON.stringify(reply(approved))}`, { kind: "approved" }],
  ["an approval in the name of its reply", { createTransactionResponse: reply(approved) }, { kind: "approved" }],
  [
    "an approval with objects for lists and numbers for strings",
    reply(
      { responseCode: 1, transId: 60200000001, messages: { code: 1 } },
      { resultCode: "Ok", message: { code: "I00001" } },
    ),
    { kind: "approved" },
  ],
  ["an approval whose profile failed", reply(approved, failed("E00100")), { kind: "approved" }],
  [
    "an approval whose card was not stored",
    { ...reply(approved), profileResponse: { messages: failed("E00039") } },
    { kind: "approved", paymentProfile: null },
  ],
  [
    "a decline in a reply that is Ok",
    reply(refused("2", "2", "60200000001")),
    { kind: "declined", transactionId: "60200000001", hard: false },
  ],
  ["a decline in a reply that is an error", refusal("2", "2"), { kind: "declined" }],
  ["a decline under response code 3", refusal("3", "205"), { kind: "declined", hard: false }],
  ["a wrong number under response code 3", refusal("3", "6"), { kind: "declined", cause: "card-data" }],
  ["a duplicate", refusal("3", "11"), { kind: "unknown", isDuplicate: true }],
  ["authorised and let go", refusal("3", "52"), { kind: "not-processed", cause: "not-paid" }],
  [
    "held for review",
    reply({ responseCode: "4", transId: "7", messages: [{ code: "252" }] }),
    { kind: "held", transactionId: "7", codes: { reason: "252" } },
  ],
  ["an error reply with response code 1 and no transaction", refusal("1", "205"), { kind: "declined" }],
  ["the same for a reason that judges no card", refusal("1", "33"), { kind: "not-processed", cause: "configuration" }],
  ["the same for a duplicate", refusal("1", "11"), { kind: "unknown", isDuplicate: true }],
  ["the same for a reason that nobody knows", refusal("1", "999"), { kind: "not-processed" }],
  ["response code 1 with a transaction and errors", reply(refused("1", "2", "60200000001")), { kind: "unknown" }],
  ["response code 1 without a transaction", reply({ ...approved, transId: "0" }), { kind: "unknown" }],
  ["an approval that names no transaction", reply({ ...approved, transId: undefined }), { kind: "unknown" }],
  ["an unknown response code", reply({ ...approved, responseCode: "9" }), { kind: "unknown" }],
  ["an approval of no request", { ...reply(approved), refId: undefined }, { kind: "unknown" }],
  ["a test request", reply({ ...approved, transId: "0", testRequest: "1" }), { kind: "unknown" }],
  ["a transaction that says nothing", reply({}), { kind: "unknown" }],
  ["no transaction", { refId: asked.reference, messages: ok }, { kind: "unknown" }],
  ["messages without a message", reply({}, { resultCode: "Error" }), { kind: "unknown" }],
  ["an error without a reason", reply({}, failed("E00027")), { kind: "unknown" }],
  ["a gateway that is too busy", reply({}, failed("E00053")), { kind: "unknown" }],
  ["a reply to somebody else", { ...reply(approved), refId: "attempt-000000000002" }, { kind: "unknown" }],
  [
    "a part, by its reason",
    reply({ ...approved, responseCode: "4", messages: [{ code: "295" }] }),
    { kind: "partly-approved" },
  ],
  [
    "a part, by a prepaid card that gave less",
    reply({ ...approved, prePaidCard: { requestedAmount: "49.00", approvedAmount: "1.23", balanceOnCard: "0.00" } }),
    { kind: "partly-approved" },
  ],
  ["a part, by the amount beside", reply({ ...approved, approvedAmount: "48.99" }), { kind: "partly-approved" }],
  [
    "a part, by the tenders that it was split into",
    reply({ ...approved, splitTenderPayments: [{ approvedAmount: "20.00" }] }),
    { kind: "partly-approved" },
  ],
  [
    "a prepaid card that gave all",
    reply({ ...approved, prePaidCard: { requestedAmount: "49.00", approvedAmount: "49.00" } }),
    { kind: "approved" },
  ],
  ["an amount that cannot be read", reply({ ...approved, approvedAmount: "all" }), { kind: "partly-approved" }],
];

test.each(shapes)("%s is read for what it is", (_shape, content, outcome) => {
  expect(read(content)).toMatchObject(outcome);
});

const readRefused = (...judgement: Parameters<typeof refused>) => read(reply(refused(...judgement)));
/** What is read of a request that the API itself refuses. */
const readApiCode = (code: string) => read({ messages: failed(code) });

const hardReasons = ["3", "4", "6", "7", "8", "37", "41", "200", "250", "251", "254", "315", "316", "317"];

test.each(hardReasons)("reason %s is final for the card, under response code 3 too", (reason) => {
  expect(readRefused("2", reason, "60200000001")).toMatchObject({ kind: "declined", hard: true });
  expect(readRefused("3", reason)).toMatchObject({ kind: "declined", hard: true });
});

test.each([2, 27, 44, 45, 65, 78, 127, 128, 141, 145, 165, 191, ...Array.from({ length: 24 }, (_, at) => 201 + at)])(
  "reason %d is a decline under response code 3, and may pass later",
  (reason) => expect(readRefused("3", String(reason))).toMatchObject({ kind: "declined", hard: false }),
);

test("refused credentials, refused requests and released authorisations are distinguished", () => {
  expect(readRefused("3", "13")).toMatchObject({ kind: "not-processed", cause: "credentials" });
  for (const code of ["E00005", "E00006", "E00007", "E00008", "E00010", "E00011"]) {
    expect(readApiCode(code)).toMatchObject({ kind: "not-processed", cause: "credentials" });
  }
  for (const code of ["E00003", "E00013", "E00015"]) {
    const codes = { reason: code };
    expect(readApiCode(code)).toMatchObject({ kind: "not-processed", cause: "configuration", codes });
  }
  expect(readApiCode("E00059")).toMatchObject({ kind: "not-processed", codes: { reason: "E00059" } });
  expect(readRefused("3", "5")).toMatchObject({ kind: "not-processed", cause: "configuration" });
  expect(readRefused("3", "52", "60200000001")).toMatchObject({ kind: "not-processed", cause: "not-paid" });
  expect(readRefused("3", "19")).toMatchObject({ kind: "unknown", isDuplicate: false });
});

test.each([
  ["6", "That card number isn't valid."],
  ["8", "Your card has expired."],
  ["17", "We don't accept this type of card."],
  ["27", "That ZIP code doesn't match"],
  ["78", "That security code doesn't match"],
])("an error of the card (%s) is told to the student", (reason, sentence) => {
  const told = { kind: "declined", transactionId: null, message: expect.stringContaining(sentence) };
  expect(readRefused("3", reason)).toMatchObject(told);
});

test.each(["11", "318", "19", "20", "23", "25", "26", "57", "120", "121", "122"])(
  "error %s leaves the outcome unknown",
  (reason) => expect(readRefused("3", reason)).toMatchObject({ kind: "unknown", codes: { reason } }),
);

test("a busy or broken gateway leaves the outcome unknown", () => {
  for (const code of ["E00001", "E00053", "E00104", "E00027", "E99999"]) {
    expect(readApiCode(code)).toMatchObject({ kind: "unknown" });
  }
  expect(read(reply({ responseCode: "3", errors: [{ errorCode: "33" }] }, failed("E00053")))).toMatchObject({
    kind: "unknown",
  });
});

test("a spent or foreign card token asks for the card again", () => {
  const declined = { kind: "declined", cause: "card-data", transactionId: null, hard: false };
  for (const code of ["E00114", "E00115", "E00116"]) {
    expect(readApiCode(code)).toMatchObject({ ...declined, message: "Please enter your card again." });
  }
});

const code = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map(String),
  fc.constantFrom("", "x", "E00027", null, undefined),
);
const apiCode = fc.constantFrom(
  "I00001",
  "E00001",
  "E00003",
  "E00007",
  "E00027",
  "E00040",
  "E00053",
  "E00114",
  "E77777",
);
const amount = fc.constantFrom(undefined, null, "49.00", 49, "1.23", 48.99, "", "all", 490);
const transaction = fc.record(
  {
    responseCode: fc.constantFrom("1", "2", "3", "4", "5", 1, 2, 3, 4, "", null),
    transId: fc.constantFrom("0", "", "60200000001", 60200000001, "-1", "1e5", null),
    errors: fc.oneof(
      fc.array(fc.record({ errorCode: code }, { requiredKeys: [] }), { maxLength: 2 }),
      fc.record({ errorCode: code }),
      fc.constant("x"),
    ),
    messages: fc.oneof(fc.array(fc.record({ code }), { maxLength: 2 }), fc.record({ code })),
    approvedAmount: amount,
    prePaidCard: fc.record({ approvedAmount: amount }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const anyReply = fc.record(
  {
    transactionResponse: fc.oneof(transaction, fc.constantFrom(null, [], "x", 7)),
    refId: fc.constantFrom(asked.reference, "somebody-else", null),
    messages: fc.oneof(
      fc.record(
        {
          resultCode: fc.constantFrom("Ok", "Error", null),
          message: fc.oneof(fc.array(fc.record({ code: apiCode }), { maxLength: 2 }), fc.record({ code: apiCode })),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(null, "x"),
    ),
  },
  { requiredKeys: [] },
);

test("nothing counts as approved without response code 1, a transaction of its own and the whole amount [P09]", () => {
  fc.assert(
    fc.property(anyReply, (content) => {
      const outcome = chargeOutcomeOf(content, asked);
      if (outcome.kind !== "approved") return;
      const response = content.transactionResponse as Record<string, unknown>;
      expect(String(response.responseCode)).toBe("1");
      expect(String(response.transId)).toBe("60200000001");
      expect(content.refId).toBe(asked.reference);
      const told = [response.approvedAmount, (response.prePaidCard as { approvedAmount?: unknown })?.approvedAmount];
      for (const one of told) if (one !== undefined && one !== null) expect(Number(one)).toBe(49);
      expect([response.errors ?? []].flat()).toEqual([]);
    }),
    { numRuns: 5000 },
  );
});

test("only known replies of the gateway count as not charged [P36]", () => {
  fc.assert(
    fc.property(anyReply, (content) => {
      const outcome = chargeOutcomeOf(content, asked);
      if (outcome.kind !== "declined" && outcome.kind !== "not-processed") return;
      const { response } = outcome.codes;
      // A judgement of ours about this request, or a refusal of the request before it became one.
      if (response === null) expect(JSON.stringify(content.messages)).toMatch(/E000(03|07|40)|E00114/);
      else expect(content.refId).toBe(asked.reference);
      if (response === "1") expect(JSON.stringify(content.messages)).toContain('"Error"');
      expect(response).not.toBe("4");
      expect(outcome).not.toMatchObject({ cause: "not-found" });
    }),
    { numRuns: 5000 },
  );
});

test("a reader never throws, and finds nothing in unexpected JSON", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const parsed = replyOf(text);
      if (parsed) expect(["unknown", "not-processed", "declined"]).toContain(chargeOutcomeOf(parsed, asked).kind);
    }),
    { numRuns: 2000 },
  );
});
