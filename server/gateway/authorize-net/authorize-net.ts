import type { FastifyBaseLogger } from "fastify";
import { newId } from "#server/db/id.ts";
import { circuitBreaker } from "../circuit-breaker.ts";
import {
  type ChargeOutcome,
  type Gateway,
  GatewayUnavailable,
  type NotProcessed,
  type ReturnOutcome,
  type Unknown,
} from "../gateway.ts";
import { chargeOutcomeOf, type PartlyApproved, tooLittle } from "./charge-outcomes.ts";
import { codesOf, notProcessed, undelivered, unknown } from "./codes.ts";
import { connect, type Delivery } from "./conversation/connection.ts";
import { conversation } from "./conversation/conversation.ts";
import { listOf, loggableText, objectOf, textOf } from "./conversation/replies.ts";
import {
  authenticateTestRequest,
  chargeRequest,
  fitsAsKey,
  isGatewayNumber,
  isSendable,
  merchantDetailsRequest,
  refundRequest,
  storedChargeRequest,
  testChargeRequest,
  voidRequest,
} from "./conversation/requests.ts";
import { readNotification } from "./notifications.ts";
import { reports } from "./reports.ts";
import { refundOutcomeOf, voidOutcomeOf } from "./return-outcomes.ts";
import { storedCards } from "./stored-cards.ts";

const DEFAULT_TIMEOUTS = { connectMs: 10_000, totalMs: 20_000 };

/**
 * The card gateway at Authorize.Net, or at anything that speaks its protocol at `apiUrl`. Secrets and card tokens go
 * to that address alone: never into a log, an error or an outcome.
 * @param options.signatureKey of the notifications; while it is changed the new and the old one, separated by a comma.
 * @param options.cardOnFile whether to mark first and later charges of a stored card for the card networks; not every
 *   processor takes the marks. By default they are sent.
 */
export function authorizeNet(options: {
  environment: "demo" | "sandbox" | "production";
  apiUrl: string;
  scriptUrl: string;
  apiLoginId: string;
  transactionKey: string;
  clientKey: string;
  signatureKey: string;
  cardOnFile?: boolean;
  timeouts?: { connectMs: number; totalMs: number };
  log: FastifyBaseLogger;
}): Gateway {
  const { environment, apiUrl, scriptUrl, apiLoginId, transactionKey, clientKey, signatureKey, log } = options;
  const cardOnFile = options.cardOnFile ?? true;
  const merchant = { name: apiLoginId, transactionKey };
  const send = circuitBreaker<object, Delivery>(connect(apiUrl, options.timeouts ?? DEFAULT_TIMEOUTS), {
    kind: "not-sent",
    reason: "the gateway could not be reached a moment ago",
  });
  const talk = conversation(merchant, send);

  /** Sends a charge. What covers only a part of the amount is voided at once, and counts as declined when it is. */
  async function transactCharge(
    request: object,
    asked: { readonly reference: string; readonly amountCents: number },
  ): Promise<ChargeOutcome> {
    const outcome = await transact(request, asked.reference, (reply) => chargeOutcomeOf(reply, asked));
    if (outcome.kind !== "partly-approved") return outcome;
    const { transactionId, codes } = outcome;
    const voidReference = newId();
    const voided = await transact(voidRequest(merchant, transactionId, voidReference), voidReference, (reply) =>
      voidOutcomeOf(reply, { reference: voidReference, transactionId }),
    );
    if (voided.kind === "returned") return tooLittle(transactionId, codes);
    return unknown("only a part of the amount was approved, and it is not voided yet", codes);
  }

  /** Sends what must happen at most once; the log says how it ended. */
  async function transact<Outcome extends ChargeOutcome | PartlyApproved | ReturnOutcome>(
    request: object,
    reference: string,
    read: (reply: Record<string, unknown>) => Outcome,
  ): Promise<Outcome | NotProcessed | Unknown> {
    const delivery = await send(request);
    const outcome = delivery.kind === "replied" ? read(delivery.reply) : undelivered(delivery);
    logEnd(log, reference, delivery, outcome);
    return outcome;
  }

  /** Before anything is sent, so that nothing can have happened. */
  function unsendable(reference: string) {
    log.error({ reference }, "a request does not fit the gateway's fields and was not sent");
    return notProcessed("configuration", "the request does not fit the gateway's fields");
  }

  return {
    ...reports(talk),
    ...storedCards(talk, log),
    environment,
    browser: { scriptUrl, apiLoginId, clientKey, origins: originsOf(apiUrl, scriptUrl) },

    async charge(charge) {
      const { reference, invoiceNumber, amountCents, customer } = charge;
      if (!isSendable(amountCents, [reference, invoiceNumber, customer.id])) return unsendable(reference);
      const request = chargeRequest(merchant, charge, cardOnFile);
      return transactCharge(request, charge);
    },

    async chargeStored(charge) {
      const { reference, invoiceNumber, amountCents, storedCard } = charge;
      const known = isGatewayNumber(storedCard.customerProfileId) && isGatewayNumber(storedCard.paymentProfileId);
      if (!known || !isSendable(amountCents, [reference, invoiceNumber])) return unsendable(reference);
      const request = storedChargeRequest(merchant, charge, cardOnFile);
      return transactCharge(request, charge);
    },

    async chargeTestCard(charge) {
      const { reference, invoiceNumber, amountCents } = charge;
      if (environment === "production") {
        return notProcessed("configuration", "test cards are not charged where cards are real");
      }
      if (!isSendable(amountCents, [reference, invoiceNumber])) return unsendable(reference);
      const request = testChargeRequest(merchant, charge);
      return transactCharge(request, charge);
    },

    async voidTransaction(asked) {
      const { reference, transactionId } = asked;
      if (!isGatewayNumber(transactionId) || !fitsAsKey(reference)) return unsendable(reference);
      const request = voidRequest(merchant, transactionId, reference);
      return transact(request, reference, (reply) => voidOutcomeOf(reply, asked));
    },

    async refund(refund) {
      const { reference, invoiceNumber = reference, amountCents, transactionId, last4 } = refund;
      const fits = isGatewayNumber(transactionId) && /^\d{4}$/.test(last4);
      if (!fits || !isSendable(amountCents, [reference, invoiceNumber])) return unsendable(reference);
      return transact(refundRequest(merchant, refund), reference, (reply) => refundOutcomeOf(reply, reference));
    },

    readNotification: (rawBody, headers) => readNotification(rawBody, headers, signatureKey),

    async testConnection() {
      const delivery = await send(authenticateTestRequest(merchant));
      if (delivery.kind !== "replied") throw new GatewayUnavailable(`The gateway did not answer: ${delivery.reason}.`);
      if (objectOf(delivery.reply.messages).resultCode === "Ok") {
        return { success: true, message: "The gateway answers and takes our credentials." };
      }
      const code = codesOf(delivery.reply).reason ?? "no code";
      return { success: false, message: `The gateway answers and refuses our credentials (${code}).` };
    },

    async merchantDetails() {
      const reply = await talk.ask(merchantDetailsRequest(merchant));
      return {
        name: textOf(reply.merchantName),
        gatewayId: textOf(reply.gatewayId),
        currencies: listOf(reply.currencies).flatMap((currency) => textOf(currency) ?? []),
        publicClientKey: textOf(reply.publicClientKey),
        isTestMode: String(reply.isTestMode) === "true",
      };
    },
  };
}

function logEnd(
  log: FastifyBaseLogger,
  reference: string,
  delivery: Delivery,
  outcome: ChargeOutcome | PartlyApproved | ReturnOutcome,
): void {
  const reason = "reason" in outcome ? outcome.reason : undefined;
  const entry = { reference, outcome: outcome.kind, codes: outcome.codes, reason };
  if (outcome.kind === "not-processed") {
    const text = delivery.kind === "replied" ? loggableText(delivery.reply) : undefined;
    log.error({ ...entry, text }, "the gateway did not process a request");
  } else if (outcome.kind === "unknown") log.warn(entry, "the outcome of a request to the gateway is not known");
  else log.info(entry, "the gateway answered a request");
}

/** The production script talks to a second host for the same API. */
function originsOf(apiUrl: string, scriptUrl: string): string[] {
  const origins = [new URL(scriptUrl).origin, new URL(apiUrl).origin];
  if (new URL(apiUrl).hostname === "api.authorize.net") origins.push("https://api2.authorize.net");
  return [...new Set(origins)];
}
