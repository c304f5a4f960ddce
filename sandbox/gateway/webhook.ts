import { createHmac, randomUUID } from "node:crypto";
import type { Transaction } from "./ledger.ts";

const EVENTS: readonly string[] = [
  "net.authorize.payment.authorization.created",
  "net.authorize.payment.authcapture.created",
  "net.authorize.payment.capture.created",
  "net.authorize.payment.priorAuthCapture.created",
  "net.authorize.payment.refund.created",
  "net.authorize.payment.void.created",
  "net.authorize.payment.fraud.held",
  "net.authorize.payment.fraud.approved",
  "net.authorize.payment.fraud.declined",
];

const TIMEOUT_MS = 10_000;

/** The full name of an event, from a name with or without "net.authorize.". Null for an unknown event. */
export function eventNameOf(text: unknown): string | null {
  return EVENTS.find((name) => name === text || name === `net.authorize.${text}`) ?? null;
}

/**
 * Sends a webhook about a transaction, with a signature over its bytes.
 * @returns the HTTP status of the academy's reply
 * @throws when no reply comes within 10 seconds
 */
export async function sendWebhook(
  academyUrl: string,
  signatureKey: string,
  webhook: { event: string; transaction: Transaction; at: Date },
): Promise<number> {
  const { event, transaction, at } = webhook;
  const body = JSON.stringify({
    notificationId: randomUUID(),
    eventType: event,
    // The gateway sends seven fractional digits.
    eventDate: at.toISOString().replace("Z", "0000Z"),
    webhookId: "00000000-0000-4000-8000-000000000001",
    payload: {
      responseCode: Number(transaction.responseCode),
      authCode: transaction.authCode,
      avsResponse: transaction.avs,
      authAmount: transaction.amountCents / 100,
      ...(transaction.refId === null ? {} : { merchantReferenceId: transaction.refId }),
      entityName: "transaction",
      id: transaction.transId,
    },
  });
  const signature = createHmac("sha512", signatureKey).update(body).digest("hex").toUpperCase();
  const response = await fetch(`${academyUrl}/api/authorize-net/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-anet-signature": `sha512=${signature}`,
      "x-request-id": randomUUID(),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status;
}
