import { expect, test } from "vitest";
import type { RecordedCharge, RecordedReturn } from "./recorded-charges.ts";
import { compare, type GatewayRow, nextNight, windowOf } from "./rules.ts";

const row = (change: Partial<GatewayRow> = {}): GatewayRow => ({
  transactionId: "900",
  invoiceNumber: "invoice-1",
  amountCents: 4900,
  state: "approved",
  refersTo: null,
  isDisputeWon: false,
  ...change,
});
const charge = (change: Partial<RecordedCharge> = {}): RecordedCharge => ({
  attemptId: "a",
  purchaseId: "p",
  userId: "u",
  state: "approved",
  purchaseStatus: "completed",
  transactionId: "900",
  invoiceNumber: "invoice-1",
  amountCents: 4900,
  resolvedAt: null,
  returns: [],
  ...change,
});
const returned = (change: Partial<RecordedReturn> = {}): RecordedReturn => ({
  refundId: "r",
  kind: "refund",
  state: "returned",
  amountCents: 4900,
  transactionId: "950",
  invoiceNumber: "r",
  sentAt: new Date("2026-11-20T12:00:00Z"),
  ...change,
});
const kindOf = (gateway: GatewayRow, ...ours: RecordedCharge[]) => compare(gateway, ours)?.kind ?? "agree";

test("books that say the same agree", () => {
  expect(kindOf(row(), charge())).toBe("agree");
  expect(kindOf(row({ state: "declined" }), charge({ state: "declined", transactionId: "900" }))).toBe("agree");
  expect(kindOf(row({ state: "declined", invoiceNumber: "theirs" }))).toBe("agree");
  expect(kindOf(row({ state: "held" }), charge({ state: "held" }))).toBe("agree");
});

test("an unexpected charge is a discrepancy [P18 P35]", () => {
  expect(kindOf(row({ invoiceNumber: "theirs" }))).toBe("unknown-here");
  expect(kindOf(row({ invoiceNumber: null }))).toBe("unknown-here");
  // A second charge with an invoice number that is paid already.
  expect(kindOf(row({ transactionId: "901" }), charge())).toBe("unknown-here");
});

test("a charge of an attempt that is still open is the resolver's, and of one that was given up a discrepancy", () => {
  for (const state of ["sent", "unknown", "held"] as const) {
    expect(kindOf(row(), charge({ state, transactionId: null }))).toBe("still-open");
  }
  for (const state of ["declined", "not-processed"] as const) {
    expect(kindOf(row(), charge({ state, transactionId: null }))).toBe("not-recorded");
  }
});

test("another amount is a discrepancy", () => {
  expect(kindOf(row({ amountCents: 4901 }), charge())).toBe("amount-differs");
});

test("refunded, unsettled and disputed charges are discrepancies until they are recorded", () => {
  const refunded = charge({ purchaseStatus: "refunded", returns: [returned()] });
  expect(kindOf(row({ state: "voided" }), charge())).toBe("returned-elsewhere");
  expect(kindOf(row({ state: "voided" }), refunded)).toBe("agree");
  expect(kindOf(row({ transactionId: "950", state: "refund", refersTo: "900" }), charge())).toBe("returned-elsewhere");
  expect(kindOf(row({ transactionId: "950", state: "refund", refersTo: "900" }), refunded)).toBe("agree");
  expect(kindOf(row({ state: "failed" }), charge())).toBe("not-settled");
  expect(kindOf(row({ state: "failed" }), refunded)).toBe("agree");
  expect(kindOf(row({ state: "disputed" }), charge())).toBe("disputed");
  expect(kindOf(row({ state: "disputed" }), charge({ returns: [returned({ transactionId: "900" })] }))).toBe("agree");
  expect(kindOf(row({ transactionId: "951", state: "refund", refersTo: null, invoiceNumber: null }))).toBe(
    "credit-unlinked",
  );
});

test("a recorded return that the gateway does not have is a discrepancy", () => {
  const refunded = charge({ purchaseStatus: "refunded", returns: [returned()] });
  for (const state of ["failed", "declined", "voided"] as const) {
    expect(kindOf(row({ transactionId: "950", state }), refunded)).toBe("refund-failed");
  }
  for (const state of ["refund", "held"] as const) {
    expect(kindOf(row({ transactionId: "950", state }), refunded)).toBe("agree");
  }
  const voided = charge({ purchaseStatus: "refunded", returns: [returned({ kind: "void", transactionId: "900" })] });
  expect(kindOf(row({ state: "voided" }), voided)).toBe("agree");
  expect(kindOf(row({ state: "approved" }), voided)).toBe("void-settled");
  const open = charge({ returns: [returned({ state: "unknown", transactionId: null })] });
  expect(kindOf(row({ transactionId: "950", state: "refund", invoiceNumber: "r", refersTo: "900" }), open)).toBe(
    "refund-open",
  );
});

test("a dispute is won only by the gateway's word, and an older charge is compared when the purchase was refunded", () => {
  const disputed = charge({ purchaseStatus: "refunded", returns: [returned({ transactionId: "900" })] });
  expect(kindOf(row(), disputed)).toBe("agree");
  expect(kindOf(row({ isDisputeWon: true }), disputed)).toBe("dispute-won");
  expect(kindOf(row({ isDisputeWon: true }), charge())).toBe("agree");
  expect(kindOf(row({ state: "disputed" }), charge({ purchaseStatus: "refunded" }))).toBe("disputed");
});

test("a run looks back three days at least, past the last good run, and 120 days at most", () => {
  const now = new Date("2026-11-21T03:00:00Z");
  const from = (last: string | null) => windowOf(last ? new Date(last) : null, now).from.toISOString();
  expect(from("2026-11-20T03:00:00Z")).toBe("2026-11-18T03:00:00.000Z");
  expect(from("2026-11-10T03:00:00Z")).toBe("2026-11-08T03:00:00.000Z");
  expect(from("2026-01-01T03:00:00Z")).toBe("2026-07-24T03:00:00.000Z");
  expect(from(null)).toBe("2026-07-24T03:00:00.000Z");
});

test("the next night is three o'clock, today or tomorrow", () => {
  expect(nextNight(new Date("2026-11-21T02:59:59Z")).toISOString()).toBe("2026-11-21T03:00:00.000Z");
  expect(nextNight(new Date("2026-11-21T03:00:00Z")).toISOString()).toBe("2026-11-22T03:00:00.000Z");
});
