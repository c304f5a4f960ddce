import { findRow, insertRow, listRows, type Store } from "../../store.ts";
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
  const query = "select number from customers where merchantCustomerId = ? and email = ?";
  const same = findRow<{ number: number }>(store, query, merchantCustomerId, email);
  if (same) return { customerProfileId: String(same.number), isNew: false };
  const number = insertRow(store, "customers", { merchantCustomerId, email, madeAt: now.toISOString() });
  return { customerProfileId: String(number), isNew: true };
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
    store.prepare("update paymentProfiles set isDefault = 0 where customerNumber = ?").run(Number(customerProfileId));
  }
  const { brand, last4, expiry, fingerprint } = card;
  const number = insertRow(store, "paymentProfiles", {
    ...{ brand, last4, expiry, fingerprint },
    ...billing,
    customerNumber: Number(customerProfileId),
    isDefault: Number(isDefault),
    madeAt: now.toISOString(),
  });
  return { paymentProfileId: String(number), isNew: true };
}

export function findCustomer(store: Store, customerProfileId: string): Customer | null {
  const query =
    "select cast(number as text) as customerProfileId, merchantCustomerId, email from customers where number = ?";
  return findRow(store, query, Number(customerProfileId));
}

/** Oldest first. */
export function listPaymentProfiles(store: Store, customerProfileId: string): PaymentProfile[] {
  const query = "select * from paymentProfiles where customerNumber = ? order by number";
  return listRows<Row>(store, query, Number(customerProfileId)).map(paymentProfileOf);
}

export function findPaymentProfile(store: Store, ids: ProfileIds): PaymentProfile | null {
  return (
    listPaymentProfiles(store, ids.customerProfileId).find(
      ({ paymentProfileId }) => paymentProfileId === ids.paymentProfileId,
    ) ?? null
  );
}

/** Deletes a stored card. False if it does not exist. */
export function removePaymentProfile(store: Store, ids: ProfileIds): boolean {
  const { changes } = store
    .prepare("delete from paymentProfiles where number = ? and customerNumber = ?")
    .run(Number(ids.paymentProfileId), Number(ids.customerProfileId));
  return changes > 0;
}

/** Deletes a customer with all cards. False if it does not exist. */
export function removeCustomer(store: Store, customerProfileId: string): boolean {
  const number = Number(customerProfileId);
  store.prepare("delete from paymentProfiles where customerNumber = ?").run(number);
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

interface Row extends Omit<Card, "cvv">, Billing {
  readonly number: number;
  readonly customerNumber: number;
  readonly isDefault: 0 | 1;
}

/** Security codes are never stored, so their result is always "P": not checked. */
function paymentProfileOf({ number, customerNumber, isDefault, firstName, lastName, ...row }: Row): PaymentProfile {
  const { brand, last4, fingerprint, expiry, zip } = row;
  return {
    customerProfileId: String(customerNumber),
    paymentProfileId: String(number),
    card: { brand, last4, fingerprint, expiry, zip, cvv: "P" },
    firstName,
    lastName,
    isDefault: isDefault === 1,
  };
}
