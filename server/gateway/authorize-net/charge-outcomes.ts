import type { ChargeOutcome, Declined, ReplyCodes, StoredCard } from "../gateway.ts";
import {
  codesOf,
  isTokenRefused,
  last4Of,
  notProcessed,
  openReasonOf,
  outcomeWithoutResult,
  transactionIdOf,
} from "./codes.ts";
import { listOf, messageCodesOf, objectOf, textOf } from "./conversation/replies.ts";

/**
 * Reads the reply to a charge. The response code decides whatever else the reply says; a reply that contradicts
 * itself, or belongs to another request, leaves the outcome unknown, and somebody will ask the gateway.
 */
export function chargeOutcomeOf(reply: Record<string, unknown>, reference: string): ChargeOutcome {
  const transaction = objectOf(reply.transactionResponse);
  const apiCodes = messageCodesOf(reply);
  const codes = codesOf(reply);
  const unknown = (reason: string): ChargeOutcome => ({ kind: "unknown", reason, codes });
  const refId = textOf(reply.refId);
  if (refId !== null && refId !== reference) return unknown("the reply belongs to another request");
  if (codes.response === null) {
    const isGone = apiCodes.includes(NO_SUCH_CARD) || isTokenRefused(apiCodes);
    return isGone ? cardAgain(codes) : outcomeWithoutResult(apiCodes, codes);
  }
  // Replies that judge a card always carry the reference; only those that reject the request may lack it.
  if (refId === null) return unknown("the reply does not say whose it is");

  const transactionId = transactionIdOf(transaction.transId);
  const card = { brand: textOf(transaction.accountType), last4: last4Of(transaction.accountNumber) };
  switch (codes.response) {
    case "1":
      if (transactionId === null) return unknown("approved without a transaction to look up");
      return {
        kind: "approved",
        transactionId,
        card,
        networkTransactionId: textOf(transaction.networkTransId),
        storedCard: storedCardOf(objectOf(reply.profileResponse)),
        codes,
      };
    case "4":
      if (transactionId === null) return unknown("held without a transaction to look up");
      if (codes.reason === PARTLY_APPROVED) return unknown("only a part of the amount was approved");
      return { kind: "held", transactionId, card, codes };
    case "2": {
      const open = openReasonOf(apiCodes, codes);
      return open === null ? declined(transactionId, codes) : unknown(open);
    }
    case "3":
      return outcomeOfError(transactionId, apiCodes, codes);
    default:
      return unknown("the response code is not one of the gateway's");
  }
}

/**
 * The stored card is not at the gateway: somebody deleted it there, or it was kept a moment ago and is not found yet.
 * Only its owner can bring it back; trying again later covers the rest.
 */
const NO_SUCH_CARD = "E00040";

/** We forbid it with every charge; should it happen all the same, somebody has to void it. */
const PARTLY_APPROVED = "295";

function outcomeOfError(transactionId: string | null, apiCodes: readonly string[], codes: ReplyCodes): ChargeOutcome {
  const open = openReasonOf(apiCodes, codes);
  if (open !== null) return { kind: "unknown", reason: open, codes };
  if (codes.reason === null) return outcomeWithoutResult(apiCodes, codes);
  if (Object.hasOwn(sentences, codes.reason)) return declined(transactionId, codes);
  return notProcessed(`the gateway answered error ${codes.reason}`, codes);
}

/** A card that was refused for this reason, in words for the student. */
export function declined(transactionId: string | null, codes: ReplyCodes): Declined {
  const reason = codes.reason ?? "";
  return {
    kind: "declined",
    transactionId,
    message: sentences[reason] ?? "Your card was declined. Please try another card or ask your bank.",
    hard: HARD.has(reason),
    codes,
  };
}

/** The token, or what was kept of the card, is no good any more; the card may well be. */
export function cardAgain(codes: ReplyCodes): Declined {
  return { kind: "declined", transactionId: null, message: "Please enter your card again.", hard: false, codes };
}

/** The card networks forbid to try these again: the same card can never succeed. */
const HARD = new Set(["3", "4", "8", "37", "41", "200", "250", "251", "254", "315", "316", "317"]);

const expired = "Your card has expired. Please use another card.";
const wrongNumber = "The card number is not valid. Please check it and try again.";
const wrongExpiry = "The expiration date is not valid. Please check it and try again.";
const wrongCode = "The security code does not match the card. Please check it and try again.";
const wrongZip = "The ZIP code does not match the card's billing address. Please check it and try again.";
const wrongBrand = "We do not accept this type of card. Please use another card.";
const refused = "Your bank refused this card. Please use another card.";

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
  "45": "The ZIP code or the security code does not match the card. Please check both and try again.",
  "65": wrongCode,
  "78": wrongCode,
  "127": wrongZip,
  "200": refused,
  "250": refused,
  "251": refused,
  "254": refused,
  "315": wrongNumber,
  "316": wrongExpiry,
  "317": expired,
};

/** The ids in a reply that made a profile, or null when it made none. */
export function storedCardOf(profileResponse: Record<string, unknown>): StoredCard | null {
  const customerProfileId = textOf(profileResponse.customerProfileId);
  const [first] = listOf(profileResponse.customerPaymentProfileIdList);
  const paymentProfileId = textOf(objectOf(first).numericString ?? first);
  return customerProfileId && paymentProfileId ? { customerProfileId, paymentProfileId } : null;
}
