/** The card gateway in our words. Adapters translate; nothing outside them knows a provider's name or codes. */
export interface Gateway {
  /** The stand-in, or which one of the provider's: only `production` moves money. */
  readonly environment: "demo" | "sandbox" | "production";
  /** What the browser needs to tokenize a card. Public by nature. */
  readonly browser: {
    readonly scriptUrl: string;
    readonly apiLoginId: string;
    readonly clientKey: string;
    /** Origins the page must be allowed to talk to, for the content security policy of the checkout. */
    readonly origins: readonly string[];
  };
  /** Charges once. Never throws: whatever happens on the way is an outcome. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** Charges a stored card, such as for a renewal. Never throws. */
  chargeStored(charge: StoredCharge): Promise<ChargeOutcome>;
  /**
   * Charges a published test card by its number, for the payment test alone. Refuses against the live gateway. The
   * card is in no log, and in no outcome but for its last four digits. Never throws.
   */
  chargeTestCard(charge: TestCharge): Promise<ChargeOutcome>;

  /** Takes back a transaction that has not settled; one that was taken back already counts as done. Never throws. */
  voidTransaction(request: { readonly transactionId: string; readonly reference: string }): Promise<ReturnOutcome>;
  /** Pays back a settled transaction to its card, wholly or in part. Never throws. */
  refund(refund: Refund): Promise<ReturnOutcome>;

  /** A transaction as the gateway keeps it, or null when it has none of that number. Throws GatewayUnavailable. */
  findTransaction(transactionId: string): Promise<GatewayTransaction | null>;
  /**
   * Every transaction under these invoices: an empty answer says that there is none, not that none was told. Throws
   * GatewayUnavailable, also when the gateway gives less than the whole lists.
   */
  listUnder(asked: InvoiceSearch): Promise<readonly GatewayTransaction[]>;
  /** Every transaction that is not settled yet. Throws GatewayUnavailable, also for less than the whole list. */
  listUnsettled(): Promise<readonly ListedTransaction[]>;
  /** Every transaction of the batches that settled between two instants, however far apart. Throws GatewayUnavailable. */
  listSettled(between: { from: Date; to: Date }): Promise<readonly ListedTransaction[]>;

  /** Keeps another card of a customer, from a token; the same card again answers with the one that is kept. */
  addCard(card: NewCard): Promise<CardOutcome>;
  /** Keeps the card of a charge that was made, for when storing it with the charge failed. Safe to repeat. */
  keepCardOf(transactionId: string, customer: Charge["customer"]): Promise<CardOutcome>;
  /** The marks of a kept card, or null when there is none such. Throws GatewayUnavailable. */
  findCard(card: StoredCard): Promise<CardMarks | null>;
  /** Forgets a kept card; one that is gone already counts as forgotten. Throws GatewayUnavailable. */
  deleteCard(card: StoredCard): Promise<void>;
  /** Forgets a customer with every card of theirs; one who is gone counts as forgotten. Throws GatewayUnavailable. */
  deleteCustomer(customerProfileId: string): Promise<void>;

  /** Whether the gateway takes our credentials, in one sentence. Throws GatewayUnavailable. */
  testConnection(): Promise<{ success: boolean; message: string }>;
  /** What the gateway knows about our account, to compare with the configuration. Throws GatewayUnavailable. */
  merchantDetails(): Promise<MerchantDetails>;
  /** What a webhook's body says, when its signature is the gateway's; null for anything else. */
  readWebhook(rawBody: Buffer, headers: Readonly<Record<string, unknown>>): Webhook | null;
}

export interface StoredCharge extends Omit<Charge, "card" | "storeCard"> {
  readonly storedCard: StoredCard;
  /** The first charge of the series, which the card networks want named. */
  readonly first: { readonly networkTransactionId: string | null; readonly amountCents: number };
}

export interface Refund {
  readonly transactionId: string;
  /** 20 characters, unique for each try. */
  readonly reference: string;
  /**
   * Stable for each refund that is meant, at most 20 characters: two of the same amount within hours count as one.
   * The reference when it is left out, so that nothing guards against paying back twice but the amount that is left.
   */
  readonly invoiceNumber?: string;
  readonly amountCents: number;
  readonly last4: string;
}

export type ReturnOutcome =
  /** For a void the number of the transaction itself; for a refund that of the new transaction. */
  | { readonly kind: "returned"; readonly transactionId: string; readonly codes: ReplyCodes }
  /**
   * The gateway refuses, and nothing has changed. settled: no longer there to be voided, or just being settled ·
   * not-settled: not settled yet, or no charge that can be refunded (any more) · too-much: more than is left of it ·
   * other: unknown there, or declined by the bank.
   */
  | {
      readonly kind: "refused";
      readonly reason: "settled" | "not-settled" | "too-much" | "other";
      readonly codes: ReplyCodes;
    }
  | NotProcessed
  | Unknown;

export interface NewCard {
  /** The customer's profile at the gateway. */
  readonly customerProfileId: string;
  readonly card: Charge["card"];
  readonly firstName: string;
  readonly lastName: string;
  readonly zip: string | null;
}

export type CardOutcome =
  | { readonly kind: "kept"; readonly storedCard: StoredCard }
  /** The bank or the gateway does not take this card. The message is for the student. */
  | Omit<Declined, "transactionId">
  /**
   * Not kept, or not known to be. Trying again with a fresh token is safe. too-many-cards: the customer must give one
   * up first · no-such-customer: the gateway has none of this number (any more) · unavailable: anything else.
   */
  | {
      readonly kind: "failed";
      readonly why: "too-many-cards" | "no-such-customer" | "unavailable";
      readonly reason: string;
      readonly codes: ReplyCodes;
    };

export interface TestCharge {
  readonly reference: string;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly number: string;
  /** MMYY or MMYYYY. */
  readonly expiration: string;
  readonly cvv: string;
}

/** Makes us ask the gateway about a transaction; never believed itself. */
export interface Webhook {
  /** The gateway's own id of the webhook: the same one may come often. */
  readonly id: string;
  readonly event: "charged" | "authorized" | "refunded" | "voided" | "held" | "approved" | "declined" | "other";
  readonly transactionId: string | null;
  /** That of the request which made the transaction. */
  readonly reference: string | null;
}

/** What is searched for in the gateway's lists. */
export interface InvoiceSearch {
  readonly invoiceNumbers: readonly string[];
  /** Cents of what is sought, for rows that do not tell their invoice. */
  readonly amountCents: number;
  /** The transaction that a refund pays back, where one is sought; null: a charge is. */
  readonly refersTo: string | null;
  /** How far back it may have been submitted. */
  readonly since: Date;
  readonly now: Date;
  /** Lists that were read after this will do, for a minute; `now` has them read anew. */
  readonly freshSince: Date;
}

export interface MerchantDetails {
  readonly name: string | null;
  readonly gatewayId: string | null;
  readonly currencies: readonly string[];
  /** To compare with the one that browsers are given. */
  readonly publicClientKey: string | null;
  /** The account itself is in test mode: it approves and charges nothing. */
  readonly isTestMode: boolean;
}

export interface Charge {
  /** Ours, unique for each attempt, 20 characters: the exact-match key when the answer is lost. */
  readonly reference: string;
  /** Stable for each purchase or billing period, at most 20 characters: the gateway's duplicate check compares it. */
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
  /** Store the card for renewals together with this charge. */
  readonly storeCard: boolean;
}

export interface StoredCard {
  readonly customerProfileId: string;
  readonly paymentProfileId: string;
}

export type ChargeOutcome =
  | {
      readonly kind: "approved";
      readonly transactionId: string;
      readonly card: CardMarks;
      readonly networkTransactionId: string | null;
      /** Null when none was asked for, or when storing it failed: that does not undo the charge. */
      readonly storedCard: StoredCard | null;
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
  /** Hard: trying the same card again can never succeed. */
  readonly hard: boolean;
  /** bank: it refused · card-data: what was typed in, or is kept of the card, is wrong, too old or gone. */
  readonly cause: "bank" | "card-data";
  readonly codes: ReplyCodes;
}

/** Certainly without effect, through no fault of the card: unreachable, misconfigured, refused as malformed. */
export interface NotProcessed {
  readonly kind: "not-processed";
  /**
   * unreachable: nothing was sent · credentials: the gateway refuses us, and will refuse every other charge as well ·
   * configuration: it refuses this request, or is not set up for it · not-paid: it was authorised and let go again ·
   * not-found: the answer was lost, and the gateway's complete lists do not have it.
   */
  readonly cause: "unreachable" | "credentials" | "configuration" | "not-paid" | "not-found";
  /** For the student. */
  readonly message: string;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

/** The request was sent and its answer is not known. It may have had its effect. */
export interface Unknown {
  readonly kind: "unknown";
  /** The gateway says that it was asked for the same before: what became of that is looked up by the invoice. */
  readonly isDuplicate: boolean;
  readonly reason: string;
  readonly codes: ReplyCodes;
}

/** Why money did not move, by what can be done about it. */
export type FailureCause = Declined["cause"] | NotProcessed["cause"];

export interface CardMarks {
  readonly brand: string | null;
  readonly last4: string | null;
}

/** The provider's codes, for the log and the administrator; no personal data, no card data. */
export interface ReplyCodes {
  readonly response: string | null;
  readonly reason: string | null;
  readonly avs: string | null;
  readonly cvv: string | null;
}

/** A row of a list; the rest is in the transaction itself. One that stands we do not know where counts as held. */
export interface ListedTransaction {
  readonly transactionId: string;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly submittedAt: Date;
  readonly state: TransactionState;
  /** A dispute took the money and gave it back: it is approved again. */
  readonly isDisputeWon: boolean;
}

/**
 * `refund` is a transaction that pays back another one; `failed` was approved once and will not be paid (settlement
 * error, expired, returned) or broke off before that; `disputed` was taken back by the card holder's bank.
 */
export type TransactionState = "approved" | "held" | "declined" | "voided" | "refund" | "failed" | "disputed";

export interface GatewayTransaction {
  readonly transactionId: string;
  /** The reference of the request that made it, when the gateway kept it. */
  readonly reference: string | null;
  readonly invoiceNumber: string | null;
  readonly amountCents: number;
  readonly state: TransactionState;
  /** A dispute took the money and gave it back: it is approved again. */
  readonly isDisputeWon: boolean;
  /** Past voiding: the money has moved, or its moving has failed. */
  readonly settled: boolean;
  /** The transaction that this one pays back or takes back, when it names one. */
  readonly refersTo: string | null;
  readonly card: CardMarks;
  readonly networkTransactionId: string | null;
  readonly storedCard: StoredCard | null;
  readonly codes: ReplyCodes;
  readonly submittedAt: Date;
}

/** The gateway could not be asked; asking again later is safe. */
export class GatewayUnavailable extends Error {
  override name = "GatewayUnavailable";
  /** The gateway's code when it refused us by our credentials, as it will every other request; else null. */
  readonly refusedCode: string | null;

  constructor(message: string, refusedCode: string | null = null) {
    super(message);
    this.refusedCode = refusedCode;
  }
}
