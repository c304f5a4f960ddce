import { inTransaction, type Store } from "../../store.ts";
import { avsResultOf, type Card, DECLINED_ZIPS } from "../cards.ts";
import { findTransaction, type Transaction } from "../ledger.ts";
import { type Call, reply, textOf } from "../replies.ts";
import { isCardDescriptor, spendToken } from "../tokens.ts";
import {
  addCustomer,
  addPaymentProfile,
  type Billing,
  duplicateText,
  findCustomer,
  findPaymentProfile,
  listPaymentProfiles,
  MAX_PAYMENT_PROFILES,
  type PaymentProfile,
  removeCustomer,
  removePaymentProfile,
} from "./profiles.ts";

interface PaymentProfileContent {
  billTo?: Record<string, string | number | undefined>;
  payment?: { opaqueData?: { dataDescriptor: string; dataValue: string } };
  defaultPaymentProfile?: string | boolean;
}

interface CustomerContent {
  merchantCustomerId?: string | number;
  email?: string;
}

const LISTS = { customerShippingAddressIdList: [] };

export function createCustomerPaymentProfile({ store, now, refId, request }: Call): object {
  return inTransaction(store, () => {
    const customerProfileId = String(request.customerProfileId);
    if (!findCustomer(store, customerProfileId)) return reply(refId, "E00040");
    const content = request.paymentProfile as PaymentProfileContent;
    const checked = checkedCard(store, now, content);
    if ("code" in checked) {
      const refused = checked.validation ? { validationDirectResponse: checked.validation } : {};
      return reply(refId, checked.code, { customerProfileId, ...refused }, checked.text);
    }
    const { card, billing, validation } = checked;
    const isDefault = isTrue(content.defaultPaymentProfile);
    const added = addPaymentProfile(store, now, customerProfileId, card, billing, isDefault);
    if (added === "full") return tooMany(refId);
    const ids = { customerProfileId, customerPaymentProfileId: added.paymentProfileId };
    if (!added.isNew) return reply(refId, "E00039", ids, "A duplicate customer payment profile already exists.");
    return reply(refId, "I00001", { ...ids, validationDirectResponse: validation });
  });
}

export function createProfileFromTransaction({ store, now, refId, request }: Call): object {
  return inTransaction(store, () => {
    const transaction = findTransaction(store, String(request.transId));
    if (!transaction) return reply(refId, "E00099");
    if (transaction.type === "refundTransaction" || transaction.responseCode !== "1") return reply(refId, "E00100");
    const { customerProfileId: named } = request;
    if (named !== undefined && !findCustomer(store, String(named))) return reply(refId, "E00040");
    const { merchantCustomerId = "", email = "" } = (request.customer ?? {}) as CustomerContent;
    if (named === undefined && !merchantCustomerId && !email) return reply(refId, "E00102");
    const keys = { merchantCustomerId: String(merchantCustomerId), email };
    const customer = named === undefined ? addCustomer(store, now, keys) : null;
    if (customer && !customer.isNew) return reply(refId, "E00039", {}, duplicateText(customer.customerProfileId));
    const customerProfileId = customer?.customerProfileId ?? String(named);
    const { card, billing } = storableCardOf(transaction);
    const added = addPaymentProfile(
      store,
      now,
      customerProfileId,
      card,
      billing,
      isTrue(request.defaultPaymentProfile),
    );
    if (added === "full") return tooMany(refId);
    const ids = { customerProfileId, customerPaymentProfileIdList: [added.paymentProfileId], ...LISTS };
    if (!added.isNew) return reply(refId, "E00039", {}, duplicateText(added.paymentProfileId));
    return reply(refId, "I00001", { ...ids, validationDirectResponseList: [] });
  });
}

export function getCustomerProfile({ store, refId, request }: Call): object {
  const customer = findCustomer(store, String(request.customerProfileId));
  if (!customer) return reply(refId, "E00040");
  const { customerProfileId, merchantCustomerId, email } = customer;
  const paymentProfiles = listPaymentProfiles(store, customerProfileId).map(wirePaymentProfile);
  const profile = {
    ...(paymentProfiles.length > 0 ? { paymentProfiles } : {}),
    profileType: "regular",
    customerProfileId,
    ...(merchantCustomerId ? { merchantCustomerId } : {}),
    ...(email ? { email } : {}),
  };
  return reply(refId, "I00001", { profile });
}

export function getCustomerPaymentProfile({ store, refId, request }: Call): object {
  const found = findPaymentProfile(store, idsOf(request));
  if (!found) return reply(refId, "E00040");
  const paymentProfile = { customerProfileId: found.customerProfileId, ...wirePaymentProfile(found) };
  return reply(refId, "I00001", { paymentProfile });
}

export function deleteCustomerPaymentProfile({ store, refId, request }: Call): object {
  return reply(refId, removePaymentProfile(store, idsOf(request)) ? "I00001" : "E00040");
}

export function deleteCustomerProfile({ store, refId, request }: Call): object {
  return reply(refId, removeCustomer(store, String(request.customerProfileId)) ? "I00001" : "E00040");
}

function idsOf(request: Record<string, unknown>) {
  return {
    customerProfileId: String(request.customerProfileId),
    paymentProfileId: String(request.customerPaymentProfileId),
  };
}

function storableCardOf(transaction: Transaction): { card: Card; billing: Billing } {
  const { brand, last4, fingerprint, expiry, zip, firstName, lastName } = transaction;
  return {
    card: { brand, last4, fingerprint, expiry, zip, cvv: "P" },
    billing: { firstName, lastName, zip },
  };
}

type CheckedCard =
  | { readonly card: Card; readonly billing: Billing; readonly validation: string }
  | { readonly code: string; readonly text?: string; readonly validation?: string };

/** Asks the bank about a profile's card. */
function checkedCard(store: Store, now: Date, content: PaymentProfileContent): CheckedCard {
  const { opaqueData } = content.payment ?? {};
  if (!opaqueData) return { code: "E00029" };
  const billTo = content.billTo ?? {};
  const text = (name: string) => (billTo[name] === undefined ? null : String(billTo[name]));
  const found = tokenCard(store, now, opaqueData);
  if (typeof found === "string") return { code: found };
  const zip = text("zip") ?? found.zip;
  const card = { ...found, zip };
  const declined = zip !== null && DECLINED_ZIPS.includes(zip.slice(0, 5));
  const validation = directResponse(card, declined);
  if (declined) return { code: "E00027", text: textOf("2"), validation };
  const billing = { firstName: text("firstName"), lastName: text("lastName"), zip };
  return { card, billing, validation };
}

function tokenCard(store: Store, now: Date, data: { dataDescriptor: string; dataValue: string }): Card | string {
  if (!isCardDescriptor(data.dataDescriptor)) return "E00114";
  const spent = spendToken(store, data.dataValue, now);
  return "error" in spent ? spent.error : spent.card;
}

/** The older interface's reply, 68 fields by position, which still reports validations. */
function directResponse(card: Card, declined: boolean): string {
  const fields = Array.from({ length: 68 }, () => "");
  const [response, text] = declined ? ["2", textOf("2")] : ["1", textOf("1")];
  fields.splice(0, 7, response, "1", declined ? "2" : "1", text, declined ? "" : "VALID1", avsResultOf(card.zip), "0");
  fields.splice(9, 3, "0.00", "CC", "auth_only");
  fields.splice(50, 2, `XXXX${card.last4}`, card.brand);
  return fields.join(",");
}

function wirePaymentProfile(profile: PaymentProfile): object {
  const { card, firstName, lastName } = profile;
  return {
    ...(profile.isDefault ? { defaultPaymentProfile: true } : {}),
    customerPaymentProfileId: profile.paymentProfileId,
    payment: { creditCard: { cardNumber: `XXXX${card.last4}`, expirationDate: "XXXX", cardType: card.brand } },
    customerType: "individual",
    billTo: {
      ...(firstName ? { firstName } : {}),
      ...(lastName ? { lastName } : {}),
      ...(card.zip ? { zip: card.zip } : {}),
    },
  };
}

function tooMany(refId: string | null): object {
  return reply(refId, "E00042", {}, textOf("E00042").replace("{0}", String(MAX_PAYMENT_PROFILES)));
}

function isTrue(value: unknown): boolean {
  return String(value) === "true";
}
