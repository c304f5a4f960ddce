import { createHmac, timingSafeEqual } from "node:crypto";
import type { Webhook } from "../gateway.ts";
import { transactionIdOf } from "./codes.ts";
import { objectOf, replyOf, textOf } from "./conversation/replies.ts";

const SIGNATURE_HEADER = "x-anet-signature";

export function readWebhook(
  rawBody: Buffer,
  headers: Readonly<Record<string, unknown>>,
  signatureKeys: string,
): Webhook | null {
  const header = headers[SIGNATURE_HEADER];
  const genuine = verifyWebhook(rawBody, typeof header === "string" ? header : undefined, signatureKeys);
  return genuine ? parseWebhook(rawBody) : null;
}

/** A key is text, not decoded hex. While it changes, old and new stand in one string, comma-separated. @internal */
export function verifyWebhook(rawBody: Buffer, header: string | undefined, signatureKeys: string): boolean {
  const given = /^sha512=([0-9a-f]{128})$/i.exec(header?.trim() ?? "")?.[1];
  if (given === undefined) return false;
  const keys = signatureKeys.split(",").flatMap((key) => key.trim() || []);
  return keys.some((key) =>
    timingSafeEqual(createHmac("sha512", key).update(rawBody).digest(), Buffer.from(given, "hex")),
  );
}

/** Null when it cannot be read. @internal */
export function parseWebhook(rawBody: Buffer): Webhook | null {
  const content = replyOf(rawBody.toString("utf8"));
  const id = textOf(content?.notificationId);
  const eventType = textOf(content?.eventType);
  if (content === null || id === null || !/^[\w-]{1,64}$/.test(id) || eventType === null) return null;
  const payload = objectOf(content.payload);
  const isTransaction = textOf(payload.entityName) === "transaction";
  return {
    id,
    event: events.get(eventType) ?? "other",
    transactionId: isTransaction ? transactionIdOf(payload.id) : null,
    reference: isTransaction ? textOf(payload.merchantReferenceId) : null,
  };
}

const events: ReadonlyMap<string, Webhook["event"]> = new Map([
  ["net.authorize.payment.authorization.created", "authorized"],
  ["net.authorize.payment.authcapture.created", "charged"],
  ["net.authorize.payment.capture.created", "charged"],
  ["net.authorize.payment.priorAuthCapture.created", "charged"],
  ["net.authorize.payment.refund.created", "refunded"],
  ["net.authorize.payment.void.created", "voided"],
  ["net.authorize.payment.fraud.held", "held"],
  ["net.authorize.payment.fraud.approved", "approved"],
  ["net.authorize.payment.fraud.declined", "declined"],
]);
