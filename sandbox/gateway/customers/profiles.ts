import type { SQLOutputValue } from "node:sqlite";
import type { Store } from "../../store.ts";
import type { Card } from "../cards.ts";
import { messages } from "../replies.ts";

export interface ProfileIds {
  readonly customerProfileId: string;
  readonly paymentProfileId: string;
}

export interface Customer {
  readonly customerProfileId: string;
  readonly merchantCustomerId: string;
  readonly email: string;
}

export interface PaymentProfile extends ProfileIds {
  readonly card: Card;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly isDefault: boolean;
}

export interface Billing {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly zip: string | null;
}

export const MAX_PAYMENT_PROFILES = 10;

/** Adds a customer, or returns the existing one with the same id and address. */
export function addCustomer(
  store: Store,
  now: Date,
  { merchantCustomerId, email }: Omit<Customer, "customerProfileId">,
): { customerProfileId: string; isNew: boolean } {
  const same = store
    .prepare("select number from customers where merchant_customer_id = ? and email = ?")
    .get(merchantCustomerId, email);
  if (same) return { customerProfileId: String(same.number), isNew: false };
  const { lastInsertRowid } = store
    .prepare("insert into customers (merchant_customer_id, email, made_at) values (?, ?, ?)")
    .run(merchantCustomerId, email, now.toISOString());
  return { customerProfileId: String(lastInsertRowid), isNew: true };
}

/** Adds a card to a customer, or returns the identical stored one, or refuses when there are too many. */
export function addPaymentProfile(
  store: Store,
  now: Date,
  customerProfileId: string,
  card: Card,
  billing: Billing,
  isDefault = false,
): { paymentProfileId: string; isNew: boolean } | "full" {
  const stored = listPaymentProfiles(store, customerProfileId);
  const same = stored.find(
    (one) =>
      one.card.fingerprint === card.fingerprint &&
      one.firstName === billing.firstName &&
      one.lastName === billing.lastName &&
      one.card.zip === billing.zip,
  );
  if (same) return { paymentProfileId: same.paymentProfileId, isNew: false };
  if (stored.length >= MAX_PAYMENT_PROFILES) return "full";
  if (isDefault) {
    store
      .prepare("update payment_profiles set is_default = 0 where customer_number = ?")
      .run(Number(customerProfileId));
  }
  const { brand, last4, expiry, fingerprint } = card;
  const { lastInsertRowid } = store
    .prepare(
      `insert into payment_profiles (customer_number, brand, last4, expiry, fingerprint, zip, first_name, last_name,
        is_default, made_at)
       values (:customer, :brand, :last4, :expiry, :fingerprint, :zip, :firstName, :lastName, :isDefault, :madeAt)`,
    )
    .run({
      ...{ brand, last4, expiry, fingerprint },
      ...billing,
      customer: Number(customerProfileId),
      isDefault: isDefault ? 1 : 0,
      madeAt: now.toISOString(),
    });
  return { paymentProfileId: String(lastInsertRowid), isNew: true };
}

export function findCustomer(store: Store, customerProfileId: string): Customer | null {
  const row = store.prepare("select * from customers where number = ?").get(Number(customerProfileId));
  if (!row) return null;
  return {
    customerProfileId: String(row.number),
    merchantCustomerId: String(row.merchant_customer_id),
    email: String(row.email),
  };
}

/** Oldest first. */
export function listPaymentProfiles(store: Store, customerProfileId: string): PaymentProfile[] {
  const rows = store
    .prepare("select * from payment_profiles where customer_number = ? order by number")
    .all(Number(customerProfileId));
  return rows.map(paymentProfileOf);
}

export function findPaymentProfile(store: Store, ids: ProfileIds): PaymentProfile | null {
  const row = store
    .prepare("select * from payment_profiles where number = ? and customer_number = ?")
    .get(Number(ids.paymentProfileId), Number(ids.customerProfileId));
  return row ? paymentProfileOf(row) : null;
}

/** The card of a profile, or null. Security codes are never stored, so their result is always "P": not checked. */
export function findStoredCard(store: Store, ids: ProfileIds): Card | null {
  return findPaymentProfile(store, ids)?.card ?? null;
}

/** Deletes a stored card. False if it does not exist. */
export function removePaymentProfile(store: Store, ids: ProfileIds): boolean {
  const { changes } = store
    .prepare("delete from payment_profiles where number = ? and customer_number = ?")
    .run(Number(ids.paymentProfileId), Number(ids.customerProfileId));
  return changes > 0;
}

/** Deletes a customer with all cards. False if it does not exist. */
export function removeCustomer(store: Store, customerProfileId: string): boolean {
  const number = Number(customerProfileId);
  store.prepare("delete from payment_profiles where customer_number = ?").run(number);
  return store.prepare("delete from customers where number = ?").run(number).changes > 0;
}

/**
 * Stores the card of a charge. For an existing customer the profile's reply is E00039, while the charge stays approved.
 * `wire` is the profileResponse of the reply.
 */
export function createProfileOfCharge(
  store: Store,
  now: Date,
  card: Card,
  customer: { id: string | null; email: string | null },
  billing: Billing,
): { wire: object; ids: ProfileIds | null } {
  const merchantCustomerId = customer.id ?? "";
  const { customerProfileId, isNew } = addCustomer(store, now, {
    merchantCustomerId,
    email: customer.email ?? "",
  });
  if (!isNew) return { wire: { messages: messages("E00039", duplicateText(customerProfileId)) }, ids: null };
  const added = addPaymentProfile(store, now, customerProfileId, card, billing);
  const ids = added === "full" ? null : { customerProfileId, paymentProfileId: added.paymentProfileId };
  const wire = {
    messages: messages("I00001"),
    customerProfileId,
    customerPaymentProfileIdList: ids ? [ids.paymentProfileId] : [],
    customerShippingAddressIdList: [],
  };
  return { wire, ids };
}

export function duplicateText(id: string): string {
  return `A duplicate record with ID ${id} already exists.`;
}

function paymentProfileOf(row: Record<string, SQLOutputValue>): PaymentProfile {
  const text = (value: SQLOutputValue | undefined) => (value === null || value === undefined ? null : String(value));
  return {
    customerProfileId: String(row.customer_number),
    paymentProfileId: String(row.number),
    card: {
      brand: String(row.brand),
      last4: String(row.last4),
      fingerprint: String(row.fingerprint),
      expiry: String(row.expiry),
      zip: text(row.zip),
      cvv: "P",
    },
    firstName: text(row.first_name),
    lastName: text(row.last_name),
    isDefault: row.is_default === 1,
  };
}
