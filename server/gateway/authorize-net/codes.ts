import { type NotProcessed, noCodes, notProcessed, type ReplyCodes, type Unknown } from "../gateway.ts";
import type { Delivery } from "./conversation/connection.ts";
import { unavailable } from "./conversation/conversation.ts";
import { listOf, messageCodesOf, objectOf, textOf } from "./conversation/replies.ts";
import { classOf, type ReasonClass } from "./reasons.ts";

/** Also for a token that is spent, too old or somebody else's. */
export function isCardGone(apiCodes: readonly string[]): boolean {
  return areAll(apiCodes, ["card-data"]);
}

/** Null when the reply settles it. */
export function openOutcomeOf(apiCodes: readonly string[], codes: ReplyCodes): Unknown | null {
  const reasonClass = classOf(codes.reason ?? "");
  if (reasonClass === "duplicate") {
    return { ...unknownOutcome("the gateway has this transaction already", codes), isDuplicate: true };
  }
  const isBroken = codes.response !== "2" && apiCodes.some((code) => code !== FAILED && classOf(code) === "unknown");
  if (isBroken || reasonClass === "unknown") {
    return unknownOutcome(`the gateway failed on the way: ${codes.reason ?? apiCodes.join(", ")}`, codes);
  }
  return null;
}

const FAILED = "E00027";

export function outcomeWithoutResult(apiCodes: readonly string[], codes: ReplyCodes): NotProcessed | Unknown {
  const named = apiCodes.join(", ") || "no code";
  if (!areAll(apiCodes, ["credentials", "configuration"])) {
    return unknownOutcome(`the gateway answered without a result: ${named}`, codes);
  }
  const cause = apiCodes.some((code) => classOf(code) === "credentials") ? "credentials" : "configuration";
  return notProcessed(cause, `the gateway refused the request: ${named}`, codes);
}

export function outcomeOfRefusal(codes: ReplyCodes): NotProcessed {
  const reasonClass = classOf(codes.reason ?? "");
  const cause = reasonClass === "credentials" || reasonClass === "not-paid" ? reasonClass : "configuration";
  return notProcessed(cause, `the gateway answered error ${codes.reason}`, codes);
}

export function unknownOutcome(reason: string, codes: ReplyCodes = noCodes): Unknown {
  return { kind: "unknown", isDuplicate: false, reason, codes };
}

export function undelivered(delivery: Exclude<Delivery, { kind: "replied" }>): NotProcessed | Unknown {
  const { message } = unavailable(delivery);
  return delivery.kind === "not-sent" ? notProcessed("unreachable", message) : unknownOutcome(message);
}

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
  return text !== null && /^[1-9]\d{0,19}$/.test(text) ? text : null;
}

/** "XXXX1111" → "1111" */
export function last4Of(accountNumber: unknown): string | null {
  return /^X+(\d{4})$/.exec(textOf(accountNumber) ?? "")?.[1] ?? null;
}

function areAll(apiCodes: readonly string[], wanted: readonly ReasonClass[]): boolean {
  const isWanted = (code: string) => wanted.includes(classOf(code) ?? "unknown");
  return apiCodes.length > 0 && apiCodes.every(isWanted);
}
