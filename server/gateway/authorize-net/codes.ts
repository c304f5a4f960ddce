import type { NotProcessed, ReplyCodes, Unknown } from "../gateway.ts";
import type { Delivery } from "./conversation/connection.ts";
import { listOf, messageCodesOf, objectOf, textOf } from "./conversation/replies.ts";

/** For the student, when the fault is not the card's. */
const UNAVAILABLE =
  "Payments are not available at the moment. Your card was not charged. Please try again in a few minutes.";

export const NO_CODES: ReplyCodes = { response: null, reason: null, avs: null, cvv: null };

/** The API's codes after which a request may have had its effect all the same. */
const API_UNKNOWN: ReadonlySet<string> = new Set(["E00001", "E00053", "E00104"]);

const TOKEN_REFUSED: ReadonlySet<string> = new Set(["E00114", "E00115", "E00116"]);

/** The request or the account was refused as a whole, before anything was done. */
const API_REFUSED: ReadonlySet<string> = new Set(
  [
    ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 29, 39, 40, 41, 42, 44, 45, 51, 59],
    ...[98, 99, 100, 102, 103, 117, 121, 141, 142],
  ].map((number) => `E${String(number).padStart(5, "0")}`),
);

/** Something broke between the gateway and the bank: not approved as far as the gateway knows. */
const REASON_UNKNOWN: ReadonlySet<string> = new Set(
  [19, 20, 21, 22, 23, 24, 25, 26, 52, 57, 58, 59, 60, 61, 62, 63, 120, 121, 122, 152, 180, 181, 261].map(String),
);

/** The same was asked before: what became of that one is what counts. */
const DUPLICATE: ReadonlySet<string> = new Set(["11", "318"]);

/** Whether every code says that the card's token is spent, too old or somebody else's. */
export function isTokenRefused(apiCodes: readonly string[]): boolean {
  return apiCodes.length > 0 && apiCodes.every((code) => TOKEN_REFUSED.has(code));
}

/** Why a reply that judges a transaction leaves it open what became of it, or null when it does not. */
export function openReasonOf(apiCodes: readonly string[], { response, reason }: ReplyCodes): string | null {
  if (reason !== null && DUPLICATE.has(reason)) return "the gateway has this transaction already";
  if (response === "3" && apiCodes.some((code) => API_UNKNOWN.has(code))) return "the gateway failed on the way";
  if (reason !== null && REASON_UNKNOWN.has(reason)) return `the gateway failed on the way: ${reason}`;
  return null;
}

/** What a reply means that judges no transaction. */
export function outcomeWithoutResult(apiCodes: readonly string[], codes: ReplyCodes): NotProcessed | Unknown {
  const named = apiCodes.join(", ") || "no code";
  if (apiCodes.length > 0 && apiCodes.every((code) => API_REFUSED.has(code))) {
    return notProcessed(`the gateway refused the request: ${named}`, codes);
  }
  return { kind: "unknown", reason: `the gateway answered without a result: ${named}`, codes };
}

export function notProcessed(reason: string, codes: ReplyCodes = NO_CODES): NotProcessed {
  return { kind: "not-processed", message: UNAVAILABLE, reason, codes };
}

/** What became of a request that got no reply. */
export function undelivered(delivery: Exclude<Delivery, { kind: "replied" }>): NotProcessed | Unknown {
  if (delivery.kind === "not-sent") return notProcessed(delivery.reason);
  return { kind: "unknown", reason: delivery.reason, codes: NO_CODES };
}

/** The codes of a reply; those of its transaction, when it judges one. */
export function codesOf(reply: Record<string, unknown>): ReplyCodes {
  const transaction = objectOf(reply.transactionResponse);
  const error = objectOf(listOf(transaction.errors)[0]);
  const message = objectOf(listOf(transaction.messages)[0]);
  const response = textOf(transaction.responseCode);
  const apiCode = messageCodesOf(reply).find((code) => code.startsWith("E")) ?? null;
  // Beside a response code the API's own code says nothing about the reason; without one it is all there is.
  const reason = textOf(error.errorCode) ?? textOf(message.code) ?? (response === null ? apiCode : null);
  return { response, reason, avs: textOf(transaction.avsResultCode), cvv: textOf(transaction.cvvResultCode) };
}

/** Null for "0", which stands for a transaction that was not kept. */
export function transactionIdOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && /^[1-9]\d*$/.test(text) ? text : null;
}

/** "XXXX1111" → "1111" */
export function last4Of(accountNumber: unknown): string | null {
  return /^X+(\d{4})$/.exec(textOf(accountNumber) ?? "")?.[1] ?? null;
}
