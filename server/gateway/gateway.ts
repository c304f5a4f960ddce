/**
 * The port to a card gateway; only its adapters know a provider's codes. Outcomes are returned and never thrown;
 * questions may reject with GatewayUnavailable.
 */
export interface Gateway {
  /** Only `production` moves money. */
  readonly environment: "demo" | "sandbox" | "production";
  readonly browser: {
    readonly scriptUrl: string;
    readonly apiLoginId: string;
    readonly clientKey: string;
    /** For the content security policy of the checkout. */
    readonly origins: readonly string[];
  };
  charge(charge: Charge): Promise<ChargeOutcome>;
  chargeStored(charge: StoredCharge): Promise<ChargeOutcome>;
  /** For the payment test only; refuses in production. The card is never logged. */
  chargeTestCard(charge: TestCharge): Promise<ChargeOutcome>;

  /** Voids a transaction that has not settled. A transaction that was voided before counts as voided now. */
  voidTransaction(request: { readonly transactionId: string; readonly reference: string }): Promise<ReturnOutcome>;
  /** Refunds a settled charge. */
  refund(refund: Refund): Promise<ReturnOutcome>;

  findTransaction(transactionId: string): Promise<GatewayTransaction | null>;
  /**
   * The transactions under these invoices. Empty means that there are none: an incomplete answer is
   * GatewayUnavailable.
   */
  listUnder(asked: InvoiceSearch): Promise<readonly GatewayTransaction[]>;
  /** All unsettled transactions, or GatewayUnavailable. */
  listUnsettled(): Promise<readonly ListedTransaction[]>;
  /** All transactions settled in between, however long that is, or GatewayUnavailable. */
  listSettled(between: { from: Date; to: Date }): Promise<readonly ListedTransaction[]>;

  /** Stores a card. For a card that is stored already, answers with that one. */
  addCard(card: NewCard): Promise<CardOutcome>;
  /** Stores the card of a charge, where storing it with the charge failed. Safe to repeat. */
  keepCardOf(transactionId: string, customer: Charge["customer"]): Promise<CardOutcome>;
  findCard(card: PaymentProfile): Promise<CardMarks | null>;
  /** Deletes a stored card; succeeds also when there is none. */
  deleteCard(card: PaymentProfile): Promise<void>;
  /** Deletes a customer with all stored cards; succeeds also when there is none. */
  deleteCustomer(customerProfileId: string): Promise<void>;

  testConnection(): Promise<{ success: boolean; message: string }>;
  merchantDetails(): Promise<MerchantDetails>;
  /** Parses a webhook; null unless the gateway has signed it. */
  readWebhook(rawBody: Buffer, headers: Readonly<Record<string, unknown>>): Webhook | null;
}

export interface StoredCharge extends Omit<Charge, "card" | "storeCard"> {
  readonly paymentProfile: PaymentProfile;
  /** The first charge of the subscription, which the card networks require for later ones. */
  readonly first: { readonly networkTransactionId: string | null; readonly amountCents: number };
}

export interface Refund {
  readonly transactionId: string;
  /** 20 characters, unique for each attempt. */
  readonly reference: string;
  /**
   * At most 20 characters. The gateway takes refunds of one amount and invoice within hours for duplicates; without
   * an invoice it does not.
   */
  readonly invoiceNumber?: string;
  readonly amountCents: number;
  readonly last4: string;
}

export type ReturnOutcome =
  /** For a void the transaction itself; for a refund the new transaction. */
  | { readonly kind: "returned"; readonly transactionId: string; readonly codes: ReplyCodes }
  /** No money moved. other: the gateway does not know the transaction, or the bank declined. */
  | {
      readonly kind: "refused";
      readonly reason: "settled" | "not-settled" | "too-much" | "other";
      readonly codes: ReplyCodes;
    }
  /** Somebody at the gateway decides first whether this transaction is made. */
  | { readonly kind: "held"; readonly transactionId: string; readonly codes: ReplyCodes }
  | NotProcessed
  | Unknown;

export interface NewCard {
  readonly customerProfileId: string;
  readonly card: Charge["card"];
  readonly firstName: string;
  readonly lastName: string;
  readonly zip: string | null;
}

export type CardOutcome =
  | { readonly kind: "kept"; readonly paymentProfile: PaymentProfile }
  | Omit<Declined, "transactionId">
  /** Trying again with a fresh token is safe. unknown: the gateway did not say whether it has stored the card. */
  | {
      readonly kind: "failed";
      readonly why: "too-many-cards" | "no-such-customer" | "refused" | "unknown";
      readonly reason: string;
      readonly codes: ReplyCodes;
    };

export interface TestCharge {
  readonly reference: string;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly number: string;
  readonly expiration: string;
  readonly cvv: string;
}

/** A webhook only makes the academy ask the gateway about a transaction. */
export interface Webhook {
  /** The gateway may deliver a webhook several times. */
  readonly id: string;
  readonly event: "charged" | "authorized" | "refunded" | "voided" | "held" | "approved" | "declined" | "other";
  readonly transactionId: string | null;
  readonly reference: string | null;
}

export interface InvoiceSearch {
  readonly invoiceNumbers: readonly string[];
  /** Identifies rows that have no invoice. */
  readonly amountCents: number;
  /** The charge that a refund pays back; null: the search is for a charge. */
  readonly refersTo: string | null;
  readonly since: Date;
  readonly now: Date;
  /** Lists that were read after this instant may be reused for a minute; `now` reads them anew. */
  readonly freshSince: Date;
}

export interface MerchantDetails {
  readonly name: string | null;
  readonly gatewayId: string | null;
  readonly currencies: readonly string[];
  readonly publicClientKey: string | null;
  /** The merchant's account is in test mode: it approves charges and moves no money. */
  readonly isTestMode: boolean;
}

export interface Charge {
  /** 20 characters, unique for each attempt: identifies the charge when the answer is lost. */
  readonly reference: string;
  /** At most 20 characters. The gateway's duplicate check compares it. */
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly description: string;
  readonly card: { readonly descriptor: string; readonly value: string };
  readonly customer: {
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  };
  readonly storeCard: boolean;
}

/** The gateway's ids of a stored card. */
export interface PaymentProfile {
  readonly customerProfileId: string;
  readonly paymentProfileId: string;
}

export type ChargeOutcome =
  | {
      readonly kind: "approved";
      readonly transactionId: string;
      readonly card: CardMarks;
      readonly networkTransactionId: string | null;
      /** Null also when storing the card failed, which does not undo the charge. */
      readonly paymentProfile: PaymentProfile | null;
      readonly codes: ReplyCodes;
      /** Set when an earlier charge counts instead of this request. */
      readonly chargedAt?: Date;
    }
  | { readonly kind: "held"; readonly transactionId: string; readonly card: CardMarks; readonly codes: ReplyCodes }
  | Declined
  | NotProcessed
  | Unknown;

export interface Declined {
  readonly kind: "declined";
  readonly transactionId: string | null;
  /** Shown to the student. */
  readonly message: string;
  /** This card can never be charged. */
  readonly hard: boolean;
  /** card-data: the card's typed or stored data is wrong, expired or deleted. */
  readonly cause: "bank" | "card-data";
  readonly codes: ReplyCodes;
}

/** Certainly not charged, and the card is not the reason. */
export interface NotProcessed {
  readonly kind: "not-processed";
  /**
   * credentials: the gateway refuses every charge · not-paid: authorised and released · not-found: in no list of the
   * gateway
   */
  readonly cause: "unreachable" | "credentials" | "configuration" | "not-paid" | "not-found";
  /** For the student. */
  readonly message: string;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

/** The card may have been charged. */
export interface Unknown {
  readonly kind: "unknown";
  /** The gateway takes the charge for a duplicate: the invoice leads to the earlier one. */
  readonly isDuplicate: boolean;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

export type FailureCause = Declined["cause"] | NotProcessed["cause"];

export interface CardMarks {
  readonly brand: string | null;
  readonly last4: string | null;
}

/** Codes for the log and administrators, without personal and card data. */
export interface ReplyCodes {
  readonly response: string | null;
  readonly reason: string | null;
  readonly avs: string | null;
  readonly cvv: string | null;
}

export const noCodes: ReplyCodes = { response: null, reason: null, avs: null, cvv: null };

export function notProcessed(cause: NotProcessed["cause"], reason: string, codes: ReplyCodes = noCodes): NotProcessed {
  const message = "Payments aren't available right now. You haven't been charged. Please try again in a few minutes.";
  return { kind: "not-processed", cause, message, reason, codes };
}

/** A row of the gateway's lists. An unknown status counts as held. */
export interface ListedTransaction {
  readonly transactionId: string;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly submittedAt: Date;
  readonly state: TransactionState;
  /** A dispute took the money, and it was won, so that the charge is approved again. */
  readonly isDisputeWon: boolean;
}

/** failed: approved once, and will not be paid · disputed: the card holder's bank took the money back */
export type TransactionState = "approved" | "held" | "declined" | "voided" | "refund" | "failed" | "disputed";

export interface GatewayTransaction {
  readonly transactionId: string;
  readonly reference: string | null;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly state: TransactionState;
  readonly isDisputeWon: boolean;
  /** Too late for a void: the money has moved, or the settlement has failed. */
  readonly settled: boolean;
  /** The transaction that this one refunds or voids. */
  readonly refersTo: string | null;
  readonly card: CardMarks;
  readonly networkTransactionId: string | null;
  readonly paymentProfile: PaymentProfile | null;
  readonly codes: ReplyCodes;
  readonly submittedAt: Date;
}

/** The gateway could not answer; asking again later is safe. */
export class GatewayUnavailable extends Error {
  override name = "GatewayUnavailable";
  /** Set when the gateway refuses the credentials, and so every request. */
  readonly refusedCode: string | null;

  constructor(message: string, refusedCode: string | null = null) {
    super(message);
    this.refusedCode = refusedCode;
  }
}

/** It answers, but this one cannot be read, which says nothing about the next. */
export class UnreadableTransaction extends GatewayUnavailable {
  override name = "UnreadableTransaction";
}
