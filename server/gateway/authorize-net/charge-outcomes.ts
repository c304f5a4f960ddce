import type { ChargeOutcome, Declined, PaymentProfile, ReplyCodes, Unknown } from "../gateway.ts";
import {
  codesOf,
  isCardGone,
  last4Of,
  openOutcomeOf,
  outcomeOfRefusal,
  outcomeWithoutResult,
  transactionIdOf,
  unknownOutcome,
} from "./codes.ts";
import { listOf, messageCodesOf, numberOf, objectOf, textOf } from "./conversation/replies.ts";
import { classOf, isHard } from "./reasons.ts";

export interface PartlyApproved {
  readonly kind: "partly-approved";
  readonly transactionId: string;
  readonly codes: ReplyCodes;
}

/** The response code decides. A reply that contradicts itself, or is another request's, leaves the outcome unknown. */
export function chargeOutcomeOf(
  reply: Record<string, unknown>,
  asked: { readonly reference: string; readonly amountCents: number },
): ChargeOutcome | PartlyApproved {
  const transaction = objectOf(reply.transactionResponse);
  const apiCodes = messageCodesOf(reply);
  const codes = codesOf(reply);
  const refId = textOf(reply.refId);
  if (refId !== null && refId !== asked.reference) return unknownOutcome("the reply belongs to another request", codes);
  if (codes.response === null) {
    if (transactionIdOf(transaction.transId) !== null) return unknownOutcome("a transaction that is not judged", codes);
    return isCardGone(apiCodes) ? declinedToken(codes) : outcomeWithoutResult(apiCodes, codes);
  }
  // Replies that judge a card always carry the reference; only those that reject the request may lack it.
  if (refId === null) return unknownOutcome("the reply does not say whose it is", codes);

  const transactionId = transactionIdOf(transaction.transId);
  const card = { brand: textOf(transaction.accountType), last4: last4Of(transaction.accountNumber) };
  const errors = listOf(transaction.errors);
  switch (codes.response) {
    case "1": {
      const isRefusal = transactionId === null && errors.length > 0 && objectOf(reply.messages).resultCode === "Error";
      if (isRefusal) return outcomeOfError(null, apiCodes, codes);
      if (transactionId === null) return unknownOutcome("approved without a transaction to look up", codes);
      if (errors.length > 0) return unknownOutcome("approved and refused at once", codes);
      if (isPartial(transaction, asked.amountCents)) return { kind: "partly-approved", transactionId, codes };
      return {
        kind: "approved",
        transactionId,
        card,
        networkTransactionId: textOf(transaction.networkTransId),
        paymentProfile: paymentProfileOf(objectOf(reply.profileResponse)),
        codes,
      };
    }
    case "4":
      if (transactionId === null) return unknownOutcome("held without a transaction to look up", codes);
      if (isPartial(transaction, asked.amountCents)) return { kind: "partly-approved", transactionId, codes };
      return { kind: "held", transactionId, card, codes };
    case "2":
      return openOutcomeOf(apiCodes, codes) ?? refusalByBank(transactionId, codes);
    case "3":
      return outcomeOfError(transactionId, apiCodes, codes);
    default:
      return unknownOutcome("the response code is not one of the gateway's", codes);
  }
}

/** Prepaid cards approve what is left on them. */
function isPartial(transaction: Record<string, unknown>, askedCents: number): boolean {
  const told = [...listOf(transaction.messages), ...listOf(transaction.errors)].map(objectOf);
  if (told.some(({ code, errorCode }) => classOf(textOf(code ?? errorCode) ?? "") === "partial")) return true;
  const splits = listOf(
    objectOf(transaction.splitTenderPayments).splitTenderPayment ?? transaction.splitTenderPayments,
  );
  return [transaction, objectOf(transaction.prePaidCard), ...splits.map(objectOf)]
    .filter((part) => part.approvedAmount !== undefined && part.approvedAmount !== null)
    .some((part) => Math.round((numberOf(part.approvedAmount) ?? 0) * 100) !== askedCents);
}

function refusalByBank(transactionId: string | null, codes: ReplyCodes): ChargeOutcome {
  const reasonClass = classOf(codes.reason ?? "");
  return reasonClass === "credentials" || reasonClass === "not-paid"
    ? outcomeOfRefusal(codes)
    : declined(transactionId, codes);
}

function outcomeOfError(transactionId: string | null, apiCodes: readonly string[], codes: ReplyCodes): ChargeOutcome {
  const open = openOutcomeOf(apiCodes, codes);
  if (open !== null) return open;
  if (codes.reason === null) return outcomeWithoutResult(apiCodes, codes);
  switch (classOf(codes.reason)) {
    case "declined":
    case "card-data":
      return declined(transactionId, codes);
    case "approved":
    case "held":
    case "partial":
      return contradiction(codes);
    case null:
      // The gateway kept a transaction for a reason that we do not know: the resolver asks what became of it.
      return transactionId === null ? outcomeOfRefusal(codes) : contradiction(codes);
    default:
      return outcomeOfRefusal(codes);
  }
}

function contradiction(codes: ReplyCodes): Unknown {
  return unknownOutcome(`the gateway answered error ${codes.reason}, which is not an error`, codes);
}

export function declined(transactionId: string | null, codes: ReplyCodes): Declined {
  return {
    kind: "declined",
    cause: classOf(codes.reason ?? "") === "card-data" ? "card-data" : "bank",
    transactionId,
    message: sentences[codes.reason ?? ""] ?? "Your card was declined. Please try another card, or contact your bank.",
    hard: isHard(codes),
    codes,
  };
}

/** The token, or what was kept of the card, is no good any more; the card may well be. */
export function declinedToken(codes: ReplyCodes): Declined {
  const message = "Please enter your card again.";
  return { kind: "declined", cause: "card-data", transactionId: null, message, hard: false, codes };
}

export function tooLittle(transactionId: string, codes: ReplyCodes): Declined {
  const message = "Your card doesn't cover the whole amount. You haven't been charged. Please use another card.";
  return { kind: "declined", cause: "bank", transactionId, message, hard: false, codes };
}

const expired = "Your card has expired. Please use another card.";
const wrongNumber = "That card number isn't valid. Please check it and try again.";
const wrongExpiry = "That expiration date isn't valid. Please check it and try again.";
const wrongCode = "That security code doesn't match the card. Please check it and try again.";
const wrongZip = "That ZIP code doesn't match the card's billing address. Please check it and try again.";
const wrongBrand = "We don't accept this type of card. Please use another card.";
const refused = "Your bank declined this card. Please use another card.";

const sentences: Readonly<Record<string, string>> = {
  "3": refused,
  "4": refused,
  "6": wrongNumber,
  "7": wrongExpiry,
  "8": expired,
  "17": wrongBrand,
  "27": wrongZip,
  "28": wrongBrand,
  "37": wrongNumber,
  "41": refused,
  "44": wrongCode,
  "45": "The ZIP code or the security code doesn't match the card. Please check both and try again.",
  "65": wrongCode,
  "78": wrongCode,
  "127": wrongZip,
  "153": "We couldn't read the card. Please enter it again.",
  "200": refused,
  "250": refused,
  "251": refused,
  "254": refused,
  "315": wrongNumber,
  "316": wrongExpiry,
  "317": expired,
};

export function paymentProfileOf(profileResponse: Record<string, unknown>): PaymentProfile | null {
  const customerProfileId = textOf(profileResponse.customerProfileId);
  const [first] = listOf(profileResponse.customerPaymentProfileIdList);
  const paymentProfileId = textOf(objectOf(first).numericString ?? first);
  return customerProfileId && paymentProfileId ? { customerProfileId, paymentProfileId } : null;
}
