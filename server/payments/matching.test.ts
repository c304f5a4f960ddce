import fc from "fast-check";
import { expect, test } from "vitest";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { decisive, matchOf, type Sent } from "./matching.ts";

const sentAt = new Date("2026-03-01T10:00:00Z");
const minutesLater = (minutes: number) => new Date(sentAt.getTime() + minutes * 60_000);

const sent: Sent = {
  invoiceNumber: "invoice-1",
  references: ["reference-1"],
  amountCents: 4900,
  last4: "1111",
  refersTo: null,
  sentAt,
  isDuplicate: false,
};

const listed: GatewayTransaction = {
  transactionId: "60200000001",
  reference: "reference-1",
  invoiceNumber: "invoice-1",
  amountCents: 4900,
  state: "approved",
  settled: false,
  isDisputeWon: false,
  refersTo: null,
  card: { brand: "Visa", last4: "1111" },
  networkTransactionId: null,
  paymentProfile: null,
  codes: { response: "1", reason: "1", avs: null, cvv: null },
  submittedAt: minutesLater(0),
};

const match = (change: Partial<GatewayTransaction>, asked: Partial<Sent> = {}) =>
  matchOf({ ...listed, ...change }, { ...sent, ...asked });

test("a charge with our reference, or with none and everything else, is ours [P36]", () => {
  expect(match({})).toBe("ours");
  expect(match({ reference: null })).toBe("ours");
  expect(match({ reference: null, card: { brand: null, last4: null } })).toBe("ours");
  expect(match({ reference: null }, { last4: null })).toBe("ours");
  expect(match({ reference: null, state: "declined" })).toBe("ours");
});

test("clocks may be minutes apart, and what came before the request is not its own", () => {
  expect(match({ reference: null, submittedAt: minutesLater(-10) })).toBe("ours");
  expect(match({ reference: null, submittedAt: minutesLater(-20) })).toBe("doubtful");
  expect(match({ reference: null, submittedAt: minutesLater(-20), state: "declined" })).toBe("other");
  expect(match({ submittedAt: minutesLater(-20) })).toBe("ours");
});

test("another reference, card or amount under our invoice needs a person's decision [P36]", () => {
  expect(match({ reference: "somebody-else" })).toBe("doubtful");
  expect(match({ reference: "somebody-else", state: "declined" })).toBe("doubtful");
  expect(match({ reference: null, card: { brand: "Visa", last4: "2222" } })).toBe("doubtful");
  expect(match({ reference: null, amountCents: 5000 })).toBe("doubtful");
  expect(match({ reference: "reference-0" }, { references: ["reference-0", "reference-1"] })).toBe("ours");
});

test("a charge of less than the amount is partial and must be voided", () => {
  expect(match({ amountCents: 123 })).toBe("partial");
  expect(match({ amountCents: 123, reference: null })).toBe("partial");
  expect(match({ amountCents: 123, state: "voided" })).toBe("ours");
  expect(match({ amountCents: 123, reference: "somebody-else" })).toBe("doubtful");
});

test("the attempt that asked first is believed when the gateway speaks of a duplicate [P37]", () => {
  const change = { reference: "from-a-lost-day", submittedAt: minutesLater(-300) };
  expect(match(change, { isDuplicate: true })).toBe("ours");
  expect(match({ ...change, amountCents: 4800 }, { isDuplicate: true })).toBe("doubtful");
});

test("a refund is ours by the charge that it pays back, where its invoice is not told", () => {
  const asked = { refersTo: "60200000000", amountCents: 900 };
  const refund = { state: "refund" as const, refersTo: "60200000000", amountCents: 900, reference: null };
  expect(match({ ...refund, invoiceNumber: null }, asked)).toBe("ours");
  expect(match(refund, asked)).toBe("ours");
  expect(match({ ...refund, invoiceNumber: "another" }, asked)).toBe("other");
  expect(match({ ...refund, refersTo: "60299999999" }, asked)).toBe("other");
  expect(match({ ...refund, invoiceNumber: null, submittedAt: minutesLater(-60) }, asked)).toBe("doubtful");
  expect(match({ state: "refund", refersTo: "60200000001" })).toBe("other");
});

test("a transaction with money under our invoice is never ignored [P36]", () => {
  const states = ["approved", "held", "disputed"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.constantFrom(null, "reference-1", "somebody-else"),
      fc.constantFrom(null, "1111", "2222"),
      fc.constantFrom(123, 4900, 9900),
      fc.integer({ min: -3000, max: 3000 }),
      fc.boolean(),
      (state, reference, last4, amountCents, minutes, isDuplicate) => {
        const submittedAt = minutesLater(minutes);
        const change = { state, reference, amountCents, submittedAt, card: { brand: null, last4 } };
        expect(match(change, { isDuplicate })).not.toBe("other");
        if (reference === "somebody-else" && !isDuplicate) expect(match(change)).toBe("doubtful");
        if (amountCents !== 4900) expect(match(change, { isDuplicate })).not.toBe("ours");
      },
    ),
  );
});

test("an approved transaction counts before declined ones", () => {
  const of = (state: GatewayTransaction["state"]) => ({ ...listed, state });
  expect(decisive([of("declined"), of("approved"), of("held")])?.state).toBe("approved");
  expect(decisive([of("voided"), of("held")])?.state).toBe("held");
  expect(decisive([of("declined")])?.state).toBe("declined");
  expect(decisive([])).toBeNull();
});
