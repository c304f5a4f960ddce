import { z } from "zod";
import { BadRequest } from "../../bad-request.ts";
import { inTransaction, type Store } from "../../store.ts";
import type { Card } from "../cards.ts";
import { addCustomer, addPaymentProfile, removePaymentProfile } from "../customers/profiles.ts";
import { appendToLedger, changeStatus, listTransactions, type Transaction } from "../ledger.ts";
import { authorisation } from "./charges.ts";
import { refundOf } from "./reversals.ts";
import { settleDue } from "./settlement.ts";

const name = z.string().min(1).max(255);

/** A past transaction. It names earlier ones by their references. */
const Entry = z.strictObject({
  refId: z.string().min(1).max(20),
  at: z.iso.datetime(),
  amountCents: z.int().positive(),
  invoiceNumber: z.string().min(1).max(20),
  description: name.optional(),
  /** Its outcome. An approved one is settled with its day. */
  result: z.enum(["approved", "declined", "voided"]),
  reasonCode: z.string().optional(),
  networkTransId: z.string().optional(),
  card: z
    .strictObject({
      brand: name,
      last4: z.string().regex(/^\d{4}$/),
      expiry: z.string().regex(/^\d{4}-\d{2}$/),
      zip: name,
    })
    .optional(),
  customer: z.strictObject({ id: name, email: name, firstName: z.string(), lastName: z.string() }).optional(),
  /** The gateway stores the card, and has deleted it since where it is forgotten. */
  keepsCard: z.boolean().optional(),
  forgotten: z.literal("card").optional(),
  /** The charge whose stored card it uses. */
  keptBy: z.string().optional(),
  /** The charge that it refunds. */
  refundOf: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

export const Import = z.strictObject({ transactions: z.array(Entry).max(500) });

/**
 * Imports past transactions, oldest first, with their customers and stored cards. Known references are skipped, so
 * that it may be repeated.
 * @returns the gateway's ids of each
 */
export function importTransactions(store: Store, now: Date, entries: readonly Entry[]) {
  const known = new Map(listTransactions(store).map((transaction) => [transaction.refId, transaction]));
  inTransaction(store, () => {
    for (const entry of entries) if (!known.has(entry.refId)) known.set(entry.refId, enter(store, entry, known));
    for (const { refId, forgotten } of entries) if (forgotten) forget(store, known.get(refId));
  });
  settleDue(store, now);
  return entries.map(({ refId }) => {
    const { transId = "", customerProfileId = null, paymentProfileId = null } = known.get(refId) ?? {};
    return { refId, transId, customerProfileId, paymentProfileId };
  });
}

function enter(store: Store, entry: Entry, known: ReadonlyMap<string | null, Transaction>): Transaction {
  const { refId, invoiceNumber, description = null } = entry;
  if (entry.refundOf !== undefined) {
    const original = known.get(entry.refundOf);
    if (!original) throw new BadRequest(`The refund ${refId} pays back a charge that the ledger does not have.`);
    const made = refundOf(original, entry.amountCents, new Date(entry.at));
    return appendToLedger(store, { ...made, refId, invoiceNumber, description, duplicateKey: "" });
  }
  const isApproved = entry.result !== "declined";
  const means = entry.keptBy === undefined ? givenCard(store, entry) : keptCard(known.get(entry.keptBy));
  const transaction = appendToLedger(store, {
    type: "authCaptureTransaction",
    status: isApproved ? "capturedPendingSettlement" : "declined",
    responseCode: isApproved ? "1" : "2",
    reasonCode: entry.reasonCode ?? (isApproved ? "1" : "2"),
    amountCents: entry.amountCents,
    invoiceNumber,
    description,
    refId,
    refTransId: null,
    ...means,
    avs: "Y",
    authCode: isApproved ? authorisation().authCode : "",
    networkTransId: isApproved ? (entry.networkTransId ?? null) : null,
    duplicateKey: "",
    at: entry.at,
  });
  return entry.result === "voided"
    ? changeStatus(store, transaction, { status: "voided", settleCents: 0 })
    : transaction;
}

function givenCard(store: Store, { at, card, customer, keepsCard, refId }: Entry) {
  if (!card || !customer) throw new BadRequest(`The charge ${refId} names neither a card nor the one that kept it.`);
  const { id, email, firstName, lastName } = customer;
  // These cards have no numbers, so the fingerprint derives from brand, last digits and date.
  const shown: Card = { ...card, fingerprint: `${card.brand}${card.last4}${card.expiry}`, cvv: "M" };
  const made = new Date(at);
  const ids = { customerProfileId: null as string | null, paymentProfileId: null as string | null };
  if (keepsCard) {
    ids.customerProfileId = addCustomer(store, made, { merchantCustomerId: id, email }).customerProfileId;
    const billing = { firstName, lastName, zip: card.zip };
    const added = addPaymentProfile(store, made, ids.customerProfileId, shown, billing);
    ids.paymentProfileId = added === "full" ? null : added.paymentProfileId;
  }
  return { ...shown, ...ids, customerId: id, customerEmail: email, firstName, lastName, recurring: false };
}

function keptCard(keptBy: Transaction | undefined) {
  if (!keptBy) throw new BadRequest("A charge is made with a card that no charge of the ledger kept.");
  const { brand, last4, expiry, fingerprint, zip, customerProfileId, paymentProfileId } = keptBy;
  const nobody = { customerId: null, customerEmail: null, firstName: null, lastName: null };
  const card = { brand, last4, expiry, fingerprint, zip, cvv: "P" };
  return { ...card, customerProfileId, paymentProfileId, ...nobody, recurring: true };
}

function forget(store: Store, transaction: Transaction | undefined): void {
  const { customerProfileId, paymentProfileId } = transaction ?? {};
  if (customerProfileId && paymentProfileId) removePaymentProfile(store, { customerProfileId, paymentProfileId });
}
