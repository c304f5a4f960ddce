import { createHash, randomBytes, randomInt } from "node:crypto";
import { inTransaction, type Store } from "../../store.ts";
import { avsResultOf, type Card, cardOf, DECLINED_ZIPS, hasExpired } from "../cards.ts";
import { createProfileOfCharge, findPaymentProfile, type ProfileIds } from "../customers/profiles.ts";
import { appendToLedger, findDuplicate } from "../ledger.ts";
import { declineReasonOf, type Outcome, refusalOf } from "../outcomes.ts";
import { reply } from "../replies.ts";
import { isCardDescriptor, spendToken } from "../tokens.ts";
import { centsOf, refusedReply, settingOf, type TransactionRequest, transactionReply } from "./transaction-response.ts";

const DEFAULT_DUPLICATE_WINDOW_S = 120;
const MAX_DUPLICATE_WINDOW_S = 28_800;

/** The balance of the prepaid card of the published trigger. */
const PARTIAL_CENTS = 123;

type PaymentMeans =
  | { readonly card: Card; readonly profile: ProfileIds | null }
  /** An API code, or a reason code. */
  | { readonly error: string };

/**
 * Charges in one database transaction, which uses the token up and writes the ledger and the profile.
 * @returns the reply, whose delivery is up to the caller
 */
export function charge(
  store: Store,
  now: Date,
  refId: string | null,
  request: TransactionRequest,
  outcome: Outcome | null,
): object {
  return inTransaction(store, () => {
    const means = paymentMeansOf(store, now, request);
    if ("error" in means) return refuseMeans(refId, request, means.error);
    const { card } = means;
    const wantsProfile = String(request.profile?.createProfile) === "true";
    if (wantsProfile && !request.customer?.id && !request.customer?.email) return reply(refId, "E00102");
    const requestedCents = centsOf(request.amount);
    if (requestedCents === null) return refusedReply(refId, request, "5", card);
    if (hasExpired(card.expiry, now)) return refusedReply(refId, request, "8", card);
    const { key: duplicateKey, since } = duplicateCheckOf(request, card, requestedCents, now);
    if (findDuplicate(store, duplicateKey, since)) return refusedReply(refId, request, "11", card);
    const refusal = refusalOf(outcome);
    if (refusal) return refusedReply(refId, request, refusal.reasonCode, card, refusal.responseCode);
    return decide(store, now, { refId, request, outcome, means, requestedCents, duplicateKey, wantsProfile });
  });
}

function refuseMeans(refId: string | null, request: TransactionRequest, error: string): object {
  if (!error.startsWith("E")) return refusedReply(refId, request, error);
  const noTransaction = { transactionResponse: { SupplementalDataQualificationIndicator: 0 } };
  return reply(refId, error, error.startsWith("E0011") ? noTransaction : {});
}

/** A request that the gateway has accepted. */
interface Submission {
  readonly refId: string | null;
  readonly request: TransactionRequest;
  readonly outcome: Outcome | null;
  readonly means: Exclude<PaymentMeans, { error: string }>;
  readonly requestedCents: number;
  readonly duplicateKey: string;
  readonly wantsProfile: boolean;
}

/** Decides like the bank, records it in the ledger, and stores the card of an approved charge if requested. */
function decide(store: Store, now: Date, submission: Submission): object {
  const { refId, request, outcome, means, requestedCents, duplicateKey, wantsProfile } = submission;
  const { card } = means;
  const isPartial = outcome === "partial";
  const zip = textOf(request.billTo?.zip) ?? card.zip;
  const verdict = verdictOf(outcome, zip);
  const approved = verdict.responseCode === "1";
  const customer = { id: textOf(request.customer?.id), email: request.customer?.email ?? null };
  const name = { firstName: textOf(request.billTo?.firstName), lastName: textOf(request.billTo?.lastName) };
  const billing = { ...name, zip };
  const made = wantsProfile && approved ? createProfileOfCharge(store, now, card, customer, billing) : null;
  const ids = made ? made.ids : means.profile;
  const transaction = appendToLedger(store, {
    type: request.transactionType,
    ...verdict,
    amountCents: isPartial ? Math.min(PARTIAL_CENTS, requestedCents) : requestedCents,
    invoiceNumber: textOf(request.order?.invoiceNumber),
    description: request.order?.description ?? null,
    refId,
    refTransId: null,
    brand: card.brand,
    last4: card.last4,
    fingerprint: card.fingerprint,
    expiry: card.expiry,
    zip,
    avs: avsResultOf(zip),
    cvv: card.cvv,
    ...(approved ? authorisation() : { authCode: "", networkTransId: null }),
    customerProfileId: ids?.customerProfileId ?? null,
    paymentProfileId: ids?.paymentProfileId ?? null,
    customerId: customer.id,
    customerEmail: customer.email,
    ...name,
    recurring: settingOf(request, "recurringBilling") === "true",
    duplicateKey,
    at: now.toISOString(),
  });
  return transactionReply(refId, transaction, {
    profile: means.profile,
    profileResponse: made?.wire ?? null,
    requestedCents: isPartial ? requestedCents : null,
  });
}

/** The codes of an approval. */
export function authorisation(): { authCode: string; networkTransId: string } {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const networkTransId = Array.from({ length: 23 }, () => letters[randomInt(letters.length)]).join("");
  return { authCode: randomBytes(3).toString("hex").toUpperCase(), networkTransId };
}

function paymentMeansOf(store: Store, now: Date, request: TransactionRequest): PaymentMeans {
  const { creditCard, opaqueData } = request.payment ?? {};
  if (opaqueData) {
    if (!isCardDescriptor(opaqueData.dataDescriptor)) return { error: "E00114" };
    const spent = spendToken(store, opaqueData.dataValue, now);
    return "error" in spent ? spent : { card: spent.card, profile: null };
  }
  if (creditCard) {
    const card = cardOf(store, now, creditCard, null);
    return typeof card === "string" ? { error: card } : { card, profile: null };
  }
  const { customerProfileId, paymentProfile } = request.profile ?? {};
  if (customerProfileId === undefined || paymentProfile === undefined) return { error: "E00029" };
  const profile = {
    customerProfileId: String(customerProfileId),
    paymentProfileId: String(paymentProfile.paymentProfileId),
  };
  const found = findPaymentProfile(store, profile);
  return found ? { card: found.card, profile } : { error: "E00040" };
}

function verdictOf(outcome: Outcome | null, zip: string | null) {
  const reasonCode = declineReasonOf(outcome);
  if (reasonCode !== null) return { responseCode: "2", reasonCode, status: "declined" };
  if (outcome === "hold") return { responseCode: "4", reasonCode: "252", status: "FDSPendingReview" };
  if (outcome !== "approve" && outcome !== "partial" && zip !== null && DECLINED_ZIPS.includes(zip.slice(0, 5))) {
    return { responseCode: "2", reasonCode: "2", status: "declined" };
  }
  return { responseCode: "1", reasonCode: "1", status: "capturedPendingSettlement" };
}

/** Address fields that the duplicate check compares. */
const COMPARED = ["firstName", "lastName", "company", "address", "city", "state", "zip", "country"];

/**
 * The key and the start of the gateway's duplicate check. The key includes the window. The gateway also compares the
 * merchant, of which there is one here.
 */
export function duplicateCheckOf(
  request: TransactionRequest,
  card: { brand: string; last4: string; fingerprint: string; expiry: string },
  amountCents: number,
  now: Date,
): { key: string; since: Date } {
  const asked = Number(settingOf(request, "duplicateWindow") ?? DEFAULT_DUPLICATE_WINDOW_S);
  const windowSeconds = Math.min(Math.max(asked, 0) || 0, MAX_DUPLICATE_WINDOW_S);
  const compared = [
    [card.fingerprint || card.brand + card.last4, card.expiry],
    [request.transactionType, amountCents, request.order?.invoiceNumber, request.customer?.id],
    COMPARED.map((name) => request.billTo?.[name] ?? null),
    windowSeconds,
  ];
  const key = createHash("sha256").update(JSON.stringify(compared)).digest("hex");
  return { key, since: new Date(now.getTime() - windowSeconds * 1000) };
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
