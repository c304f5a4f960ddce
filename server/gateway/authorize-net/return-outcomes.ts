import type { ReplyCodes, ReturnOutcome } from "../gateway.ts";
import {
  codesOf,
  openOutcomeOf,
  outcomeOfRefusal,
  outcomeWithoutResult,
  transactionIdOf,
  unknownOutcome,
} from "./codes.ts";
import { listOf, messageCodesOf, objectOf, textOf } from "./conversation/replies.ts";
import { classOf } from "./reasons.ts";

const ALREADY_VOIDED = "310";

type Refusal = (ReturnOutcome & { kind: "refused" })["reason"];

const voidRefusals: ReadonlyMap<string, Refusal> = new Map([
  ["16", "settled"],
  ["319", "settled"],
  ["327", "settled"],
]);

const refundRefusals: ReadonlyMap<string, Refusal> = new Map([
  ["16", "other"],
  ["319", "other"],
  ["50", "not-settled"],
  ["54", "not-settled"],
  ["51", "too-much"],
  ["55", "too-much"],
]);

export function voidOutcomeOf(
  reply: Record<string, unknown>,
  asked: { reference: string; transactionId: string },
): ReturnOutcome {
  const codes = codesOf(reply);
  if (codes.reason === ALREADY_VOIDED) return { kind: "returned", transactionId: asked.transactionId, codes };
  return returnOutcomeOf(reply, codes, asked.reference, voidRefusals);
}

export function refundOutcomeOf(reply: Record<string, unknown>, reference: string): ReturnOutcome {
  return returnOutcomeOf(reply, codesOf(reply), reference, refundRefusals);
}

function returnOutcomeOf(
  reply: Record<string, unknown>,
  codes: ReplyCodes,
  reference: string,
  refusals: ReadonlyMap<string, Refusal>,
): ReturnOutcome {
  const apiCodes = messageCodesOf(reply);
  const transaction = objectOf(reply.transactionResponse);
  const refId = textOf(reply.refId);
  if (refId !== null && refId !== reference) return unknownOutcome("the reply belongs to another request", codes);
  if (codes.response === null) return outcomeWithoutResult(apiCodes, codes);
  if (refId === null) return unknownOutcome("the reply does not say whose it is", codes);
  const transactionId = transactionIdOf(transaction.transId);
  const hasErrors = listOf(transaction.errors).length > 0;
  const isRefusal = transactionId === null && hasErrors && objectOf(reply.messages).resultCode === "Error";
  if (codes.response === "1" && !isRefusal) {
    if (transactionId === null) return unknownOutcome("done without a transaction to look up", codes);
    if (hasErrors) return unknownOutcome("done and refused at once", codes);
    return { kind: "returned", transactionId, codes };
  }
  if (codes.response === "4") {
    if (transactionId === null) return unknownOutcome("held without a transaction to look up", codes);
    return { kind: "held", transactionId, codes };
  }
  if (!["1", "2", "3"].includes(codes.response))
    return unknownOutcome("the response code is not one of the gateway's", codes);
  const open = openOutcomeOf(apiCodes, codes);
  if (open !== null) return open;
  if (codes.reason === null) return outcomeWithoutResult(apiCodes, codes);
  const isByBank = codes.response === "2" || ["declined", "card-data"].includes(classOf(codes.reason) ?? "");
  const refusal = refusals.get(codes.reason) ?? (isByBank ? "other" : undefined);
  return refusal ? { kind: "refused", reason: refusal, codes } : outcomeOfRefusal(codes);
}
