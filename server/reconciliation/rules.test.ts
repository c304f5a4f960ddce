import { expect, test } from "vitest";
import type { Booking } from "#server/purchases/books.ts";
import { type GatewayRow, holdAgainst, nextNight, windowOf } from "./rules.ts";

const row = (change: Partial<GatewayRow> = {}): GatewayRow => ({
  transactionId: "900",
  invoiceNumber: "invoice-1",
  amountCents: 4900,
  state: "approved",
  refersTo: null,
  ...change,
});
const booking = (change: Partial<Booking> = {}): Booking => ({
  attemptId: "a",
  purchaseId: "p",
  userId: "u",
  state: "approved",
  purchaseStatus: "completed",
  transactionId: "900",
  invoiceNumber: "invoice-1",
  amountCents: 4900,
  resolvedAt: null,
  refunded: [],
  openRefundId: null,
  ...change,
});
const kindOf = (gateway: GatewayRow, ...ours: Booking[]) => holdAgainst(gateway, ours)?.kind ?? "agree";

test("books that say the same agree", () => {
  expect(kindOf(row(), booking())).toBe("agree");
  expect(kindOf(row({ state: "declined" }), booking({ state: "declined", transactionId: "900" }))).toBe("agree");
  expect(kindOf(row({ state: "declined", invoiceNumber: "theirs" }))).toBe("agree");
  expect(kindOf(row({ state: "held" }), booking({ state: "held" }))).toBe("agree");
});

test("P18 P35 money that nobody here expects is a break", () => {
  expect(kindOf(row({ invoiceNumber: "theirs" }))).toBe("unknown-here");
  expect(kindOf(row({ invoiceNumber: null }))).toBe("unknown-here");
  // A second charge under an invoice that is paid.
  expect(kindOf(row({ transactionId: "901" }), booking())).toBe("unknown-here");
});

test("a charge of an attempt that is still open is the resolver's, and of one that was given up a break", () => {
  for (const state of ["sent", "unknown", "held"] as const) {
    expect(kindOf(row(), booking({ state, transactionId: null }))).toBe("still-open");
  }
  for (const state of ["declined", "not-processed"] as const) {
    expect(kindOf(row(), booking({ state, transactionId: null }))).toBe("not-recorded");
  }
});

test("another amount is a break", () => {
  expect(kindOf(row({ amountCents: 4901 }), booking())).toBe("amount-differs");
});

test("what was returned, not settled or charged back is a break while the purchase counts as paid, and not after", () => {
  const refunded = booking({ purchaseStatus: "refunded" });
  expect(kindOf(row({ state: "voided" }), booking())).toBe("returned-elsewhere");
  expect(kindOf(row({ state: "voided" }), refunded)).toBe("agree");
  expect(kindOf(row({ transactionId: "950", state: "refund", refersTo: "900" }), booking())).toBe("returned-elsewhere");
  expect(kindOf(row({ transactionId: "950", state: "refund", refersTo: "900" }), refunded)).toBe("agree");
  expect(kindOf(row({ state: "failed" }), booking())).toBe("not-settled");
  expect(kindOf(row({ state: "disputed" }), booking())).toBe("disputed");
});

test("a run looks back three days at least, past the last good run, and a month at most", () => {
  const now = new Date("2026-11-21T03:00:00Z");
  const from = (last: string | null) => windowOf(last ? new Date(last) : null, now).from.toISOString();
  expect(from("2026-11-20T03:00:00Z")).toBe("2026-11-18T03:00:00.000Z");
  expect(from("2026-11-10T03:00:00Z")).toBe("2026-11-08T03:00:00.000Z");
  expect(from("2026-01-01T03:00:00Z")).toBe("2026-10-22T03:00:00.000Z");
  expect(from(null)).toBe("2026-10-22T03:00:00.000Z");
});

test("the next night is three o'clock, today or tomorrow", () => {
  expect(nextNight(new Date("2026-11-21T02:59:59Z")).toISOString()).toBe("2026-11-21T03:00:00.000Z");
  expect(nextNight(new Date("2026-11-21T03:00:00Z")).toISOString()).toBe("2026-11-22T03:00:00.000Z");
});
