/** Only adapters know a provider's codes. Outcomes never throw; other promises may reject with GatewayUnavailable. */
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
  /** For the payment test alone; refuses against the live gateway. No log holds the card. */
  chargeTestCard(charge: TestCharge): Promise<ChargeOutcome>;

  /** Only before it settles; one that was taken back already counts as done. */
  voidTransaction(request: { readonly transactionId: string; readonly reference: string }): Promise<ReturnOutcome>;
  /** Only once it has settled. */
  refund(refund: Refund): Promise<ReturnOutcome>;

  findTransaction(transactionId: string): Promise<GatewayTransaction | null>;
  /** An empty answer says that there is none: an incomplete list is GatewayUnavailable. */
  listUnder(asked: InvoiceSearch): Promise<readonly GatewayTransaction[]>;
  /** The complete list, or GatewayUnavailable. */
  listUnsettled(): Promise<readonly ListedTransaction[]>;
  /** The complete list however far apart the instants, or GatewayUnavailable. */
  listSettled(between: { from: Date; to: Date }): Promise<readonly ListedTransaction[]>;

  /** The same card again answers with the one that is kept. */
  addCard(card: NewCard): Promise<CardOutcome>;
  /** For when storing it with the charge failed. Safe to repeat. */
  keepCardOf(transactionId: string, customer: Charge["customer"]): Promise<CardOutcome>;
  findCard(card: PaymentProfile): Promise<CardMarks | null>;
  /** Succeeds also when the card is gone. */
  deleteCard(card: PaymentProfile): Promise<void>;
  /** With every card. Succeeds also when the customer is gone. */
  deleteCustomer(customerProfileId: string): Promise<void>;

  testConnection(): Promise<{ success: boolean; message: string }>;
  merchantDetails(): Promise<MerchantDetails>;
  /** Null unless the signature is the gateway's. */
  readWebhook(rawBody: Buffer, headers: Readonly<Record<string, unknown>>): Webhook | null;
}

export interface StoredCharge extends Omit<Charge, "card" | "storeCard"> {
  readonly paymentProfile: PaymentProfile;
  /** The first charge of the series, which the card networks want named. */
  readonly first: { readonly networkTransactionId: string | null; readonly amountCents: number };
}

export interface Refund {
  readonly transactionId: string;
  /** 20 characters, unique for each try. */
  readonly reference: string;
  /** At most 20 characters. Refunds of one amount and invoice within hours count as one; without it, none do. */
  readonly invoiceNumber?: string;
  readonly amountCents: number;
  readonly last4: string;
}

export type ReturnOutcome =
  /** For a void the number of the transaction itself; for a refund that of the new transaction. */
  | { readonly kind: "returned"; readonly transactionId: string; readonly codes: ReplyCodes }
  /** Nothing has changed. other: unknown to the gateway, or declined by the bank. */
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
  /** Trying again with a fresh token is safe. unknown: the gateway has said nothing about this card. */
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

/** Makes us ask the gateway about a transaction; never believed itself. */
export interface Webhook {
  /** The same one may come often. */
  readonly id: string;
  readonly event: "charged" | "authorized" | "refunded" | "voided" | "held" | "approved" | "declined" | "other";
  readonly transactionId: string | null;
  readonly reference: string | null;
}

export interface InvoiceSearch {
  readonly invoiceNumbers: readonly string[];
  /** For rows that do not tell their invoice. */
  readonly amountCents: number;
  /** Null: a charge is sought, no refund. */
  readonly refersTo: string | null;
  readonly since: Date;
  readonly now: Date;
  /** Lists read after this will do, for a minute; `now` has them read anew. */
  readonly freshSince: Date;
}

export interface MerchantDetails {
  readonly name: string | null;
  readonly gatewayId: string | null;
  readonly currencies: readonly string[];
  readonly publicClientKey: string | null;
  /** The account itself is in test mode: it approves and charges nothing. */
  readonly isTestMode: boolean;
}

export interface Charge {
  /** Unique for each attempt, 20 characters: the exact-match key when the answer is lost. */
  readonly reference: string;
  /** At most 20 characters: the gateway's duplicate check compares it. */
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

/** A card on file, by the gateway's ids. */
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
      /** Null also when storing it failed, which does not undo the charge. */
      readonly paymentProfile: PaymentProfile | null;
      readonly codes: ReplyCodes;
      /** For a charge from before this request, which counts instead. */
      readonly chargedAt?: Date;
    }
  | { readonly kind: "held"; readonly transactionId: string; readonly card: CardMarks; readonly codes: ReplyCodes }
  | Declined
  | NotProcessed
  | Unknown;

export interface Declined {
  readonly kind: "declined";
  readonly transactionId: string | null;
  /** For the student. */
  readonly message: string;
  /** Trying the same card again can never succeed. */
  readonly hard: boolean;
  /** card-data: what was typed in, or is kept of the card, is wrong, too old or gone. */
  readonly cause: "bank" | "card-data";
  readonly codes: ReplyCodes;
}

/** Certainly without effect, through no fault of the card. */
export interface NotProcessed {
  readonly kind: "not-processed";
  /** credentials: every charge will be refused · not-paid: authorised, then released · not-found: in no list. */
  readonly cause: "unreachable" | "credentials" | "configuration" | "not-paid" | "not-found";
  /** For the student. */
  readonly message: string;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

/** It may have had its effect. */
export interface Unknown {
  readonly kind: "unknown";
  /** The gateway was asked for the same before: the invoice tells what became of that. */
  readonly isDuplicate: boolean;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

export type FailureCause = Declined["cause"] | NotProcessed["cause"];

export interface CardMarks {
  readonly brand: string | null;
  readonly last4: string | null;
}

/** For log and administrator; no personal data, no card data. */
export interface ReplyCodes {
  readonly response: string | null;
  readonly reason: string | null;
  readonly avs: string | null;
  readonly cvv: string | null;
}

export const noCodes: ReplyCodes = { response: null, reason: null, avs: null, cvv: null };

export function notProcessed(cause: NotProcessed["cause"], reason: string, codes: ReplyCodes = noCodes): NotProcessed {
  const message =
    "Payments are not available at the moment. Your card was not charged. Please try again in a few minutes.";
  return { kind: "not-processed", cause, message, reason, codes };
}

/** One whose status we do not know counts as held. */
export interface ListedTransaction {
  readonly transactionId: string;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly submittedAt: Date;
  readonly state: TransactionState;
  /** The money was taken and given back: it is approved again. */
  readonly isDisputeWon: boolean;
}

/** `failed` was approved once and will not be paid; `disputed` was taken back by the card holder's bank. */
export type TransactionState = "approved" | "held" | "declined" | "voided" | "refund" | "failed" | "disputed";

export interface GatewayTransaction {
  readonly transactionId: string;
  readonly reference: string | null;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly state: TransactionState;
  readonly isDisputeWon: boolean;
  /** Past voiding: the money has moved, or its moving has failed. */
  readonly settled: boolean;
  /** What this one pays back or takes back. */
  readonly refersTo: string | null;
  readonly card: CardMarks;
  readonly networkTransactionId: string | null;
  readonly paymentProfile: PaymentProfile | null;
  readonly codes: ReplyCodes;
  readonly submittedAt: Date;
}

/** Asking again later is safe. */
export class GatewayUnavailable extends Error {
  override name = "GatewayUnavailable";
  /** Every other request will be refused too. */
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
