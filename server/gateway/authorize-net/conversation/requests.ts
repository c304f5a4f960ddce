import { decimalAmount } from "#contract/money.ts";
import type { Charge, NewCard, PaymentProfile, Refund, StoredCharge, TestCharge } from "../../gateway.ts";

export interface Merchant {
  readonly name: string;
  readonly transactionKey: string;
}

/** `number` counts from 1; `size` is at most 1000. */
export interface Page {
  readonly number: number;
  readonly size: number;
}

/** Eight hours is the gateway's maximum: a second line of defence behind our own. */
const DUPLICATE_WINDOW_S = 28_800;

/** Names and descriptions are cut to fit; the keys that find a charge never are. */
export function isSendable(amountCents: number, keys: readonly string[]): boolean {
  return keys.every(fitsAsKey) && Number.isSafeInteger(amountCents) && amountCents > 0;
}

export function fitsAsKey(key: string): boolean {
  return key.length >= 1 && key.length <= 20;
}

/** Anything else makes it refuse the whole request. */
export function isGatewayNumber(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}

/** The gateway checks the members' order against its XML schema: one out of place fails the whole request. */

export function chargeRequest(merchant: Merchant, charge: Charge, cardOnFile: boolean): object {
  const { customer, card, storeCard } = charge;
  return transactionRequest(merchant, charge.reference, {
    transactionType: "authCaptureTransaction",
    amount: decimalAmount(charge.amountCents),
    payment: { opaqueData: { dataDescriptor: card.descriptor, dataValue: card.value } },
    profile: storeCard ? { createProfile: true } : undefined,
    order: { invoiceNumber: charge.invoiceNumber, description: cut(charge.description, 255) },
    customer: { type: "individual", id: customer.id, email: emailOf(customer.email) },
    billTo: { firstName: cut(customer.firstName, 50), lastName: cut(customer.lastName, 50) },
    transactionSettings: settings(),
    // Later charges are declined more often when the first one did not say so.
    processingOptions: storeCard && cardOnFile ? { isFirstRecurringPayment: true } : undefined,
  });
}

/** Neither customer nor billing address: they are the profile's, and the gateway refuses to be told twice (UNSURE). */
export function storedChargeRequest(merchant: Merchant, charge: StoredCharge, cardOnFile: boolean): object {
  const { paymentProfile, first } = charge;
  const original = cardOnFile ? first.networkTransactionId : null;
  return transactionRequest(merchant, charge.reference, {
    transactionType: "authCaptureTransaction",
    amount: decimalAmount(charge.amountCents),
    profile: {
      customerProfileId: paymentProfile.customerProfileId,
      paymentProfile: { paymentProfileId: paymentProfile.paymentProfileId },
    },
    order: { invoiceNumber: charge.invoiceNumber, description: cut(charge.description, 255) },
    transactionSettings: settings({ settingName: "recurringBilling", settingValue: "true" }),
    processingOptions: original === null ? undefined : { isSubsequentAuth: true },
    subsequentAuthInformation:
      original === null
        ? undefined
        : { originalNetworkTransId: original, originalAuthAmount: decimalAmount(first.amountCents) },
  });
}

export function testChargeRequest(merchant: Merchant, charge: TestCharge): object {
  const { number, expiration, cvv } = charge;
  return transactionRequest(merchant, charge.reference, {
    transactionType: "authCaptureTransaction",
    amount: decimalAmount(charge.amountCents),
    payment: { creditCard: { cardNumber: number, expirationDate: expiration, cardCode: cvv } },
    order: { invoiceNumber: charge.invoiceNumber, description: "Payment test" },
    transactionSettings: settings(),
  });
}

export function voidRequest(merchant: Merchant, transactionId: string, reference: string): object {
  return transactionRequest(merchant, reference, { transactionType: "voidTransaction", refTransId: transactionId });
}

export function refundRequest(merchant: Merchant, refund: Refund): object {
  return transactionRequest(merchant, refund.reference, {
    transactionType: "refundTransaction",
    amount: decimalAmount(refund.amountCents),
    // The original says which card it was; the date stands for "the one that you know".
    payment: { creditCard: { cardNumber: refund.last4, expirationDate: "XXXX" } },
    refTransId: refund.transactionId,
    order: { invoiceNumber: refund.invoiceNumber ?? refund.reference },
    transactionSettings: {
      setting: [{ settingName: "duplicateWindow", settingValue: String(DUPLICATE_WINDOW_S) }, NO_RECEIPT],
    },
  });
}

export function detailsRequest(merchant: Merchant, transactionId: string): object {
  return request("getTransactionDetailsRequest", merchant, { transId: transactionId });
}

export function unsettledRequest(merchant: Merchant, page: Page): object {
  return request("getUnsettledTransactionListRequest", merchant, {
    sorting: { orderBy: "submitTimeUTC", orderDescending: true },
    paging: pagingOf(page),
  });
}

export function batchListRequest(merchant: Merchant, range: { from: Date; to: Date }): object {
  const seconds = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
  return request("getSettledBatchListRequest", merchant, {
    includeStatistics: false,
    firstSettlementDate: seconds(range.from.getTime()),
    lastSettlementDate: seconds(Math.ceil(range.to.getTime() / 1000) * 1000),
  });
}

export function batchTransactionsRequest(merchant: Merchant, batchId: string, page: Page): object {
  return request("getTransactionListRequest", merchant, {
    batchId,
    sorting: { orderBy: "submitTimeUTC", orderDescending: false },
    paging: pagingOf(page),
  });
}

/** The live mode has the bank check the card, without taking money. */
export function addCardRequest(
  merchant: Merchant,
  { customerProfileId, card, firstName, lastName, zip }: NewCard,
): object {
  return request("createCustomerPaymentProfileRequest", merchant, {
    customerProfileId,
    paymentProfile: {
      customerType: "individual",
      billTo: { firstName: cut(firstName, 50), lastName: cut(lastName, 50), zip: cut(zip ?? "", 20) },
      payment: { opaqueData: { dataDescriptor: card.descriptor, dataValue: card.value } },
      defaultPaymentProfile: true,
    },
    validationMode: "liveMode",
  });
}

export function keepCardRequest(
  merchant: Merchant,
  transactionId: string,
  customer: { id: string; email: string },
  customerProfileId: string | null,
): object {
  return request("createCustomerProfileFromTransactionRequest", merchant, {
    transId: transactionId,
    customer:
      customerProfileId === null ? { merchantCustomerId: customer.id, email: emailOf(customer.email) } : undefined,
    customerProfileId: customerProfileId ?? undefined,
    defaultPaymentProfile: true,
  });
}

export function customerRequest(merchant: Merchant, customerProfileId: string): object {
  return request("getCustomerProfileRequest", merchant, { customerProfileId });
}

export function paymentProfileRequest(merchant: Merchant, card: PaymentProfile): object {
  return request("getCustomerPaymentProfileRequest", merchant, wireIds(card));
}

export function deleteCardRequest(merchant: Merchant, card: PaymentProfile): object {
  return request("deleteCustomerPaymentProfileRequest", merchant, wireIds(card));
}

export function deleteCustomerRequest(merchant: Merchant, customerProfileId: string): object {
  return request("deleteCustomerProfileRequest", merchant, { customerProfileId });
}

export function authenticateTestRequest(merchant: Merchant): object {
  return request("authenticateTestRequest", merchant, {});
}

export function merchantDetailsRequest(merchant: Merchant): object {
  return request("getMerchantDetailsRequest", merchant, {});
}

function request(name: string, { name: login, transactionKey }: Merchant, content: object): object {
  return { [name]: { merchantAuthentication: { name: login, transactionKey }, ...content } };
}

function transactionRequest(merchant: Merchant, reference: string, content: object): object {
  return request("createTransactionRequest", merchant, { refId: reference, transactionRequest: content });
}

const NO_RECEIPT = { settingName: "emailCustomer", settingValue: "false" };

function settings(...more: { settingName: string; settingValue: string }[]): object {
  return {
    setting: [
      { settingName: "allowPartialAuth", settingValue: "false" },
      { settingName: "duplicateWindow", settingValue: String(DUPLICATE_WINDOW_S) },
      NO_RECEIPT,
      ...more,
    ],
  };
}

function wireIds({ customerProfileId, paymentProfileId }: PaymentProfile): object {
  return { customerProfileId, customerPaymentProfileId: paymentProfileId };
}

/** The offset is a page number (UNSURE). */
function pagingOf({ number, size }: Page): object {
  return { limit: size, offset: number };
}

function cut(text: string, maxLength: number): string | undefined {
  const clean = text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, maxLength);
  // XML carries neither control characters nor the half of a character that cutting may leave.
  return clean.replace(/\p{Cs}/gu, "") || undefined;
}

/** Half an address is somebody else's, so one that does not fit is left out. */
function emailOf(email: string): string | undefined {
  return email.length <= 255 ? cut(email, 255) : undefined;
}
