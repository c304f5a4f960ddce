import type { FastifyBaseLogger } from "fastify";
import { newId } from "#server/db/id.ts";
import {
  type ChargeOutcome,
  type Gateway,
  type NotProcessed,
  notProcessed,
  type ReturnOutcome,
  type Unknown,
} from "../gateway.ts";
import { chargeOutcomeOf, type PartlyApproved, tooLittle } from "./charge-outcomes.ts";
import { undelivered, unknownOutcome } from "./codes.ts";
import type { Delivery } from "./conversation/connection.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { loggableText } from "./conversation/replies.ts";
import {
  chargeRequest,
  fitsAsKey,
  isGatewayNumber,
  isSendable,
  refundRequest,
  storedChargeRequest,
  testChargeRequest,
  voidRequest,
} from "./conversation/requests.ts";
import { refundOutcomeOf, voidOutcomeOf } from "./return-outcomes.ts";

/** Each request is sent once. */
export function charges(
  talk: Conversation,
  { environment, cardOnFile, log }: Pick<Gateway, "environment"> & { cardOnFile: boolean; log: FastifyBaseLogger },
): Pick<Gateway, "charge" | "chargeStored" | "chargeTestCard"> {
  const { merchant } = talk;
  return {
    async charge(charge) {
      const { reference, invoiceNumber, amountCents, customer } = charge;
      if (!isSendable(amountCents, [reference, invoiceNumber, customer.id])) return unsendable(log, reference);
      return transactCharge(talk, log, chargeRequest(merchant, charge, cardOnFile), charge);
    },

    async chargeStored(charge) {
      const { reference, invoiceNumber, amountCents, paymentProfile } = charge;
      const known =
        isGatewayNumber(paymentProfile.customerProfileId) && isGatewayNumber(paymentProfile.paymentProfileId);
      if (!known || !isSendable(amountCents, [reference, invoiceNumber])) return unsendable(log, reference);
      return transactCharge(talk, log, storedChargeRequest(merchant, charge, cardOnFile), charge);
    },

    async chargeTestCard(charge) {
      const { reference, invoiceNumber, amountCents } = charge;
      if (environment === "production") {
        return notProcessed("configuration", "test cards are not charged where cards are real");
      }
      if (!isSendable(amountCents, [reference, invoiceNumber])) return unsendable(log, reference);
      return transactCharge(talk, log, testChargeRequest(merchant, charge), charge);
    },
  };
}

export function returns(talk: Conversation, log: FastifyBaseLogger): Pick<Gateway, "voidTransaction" | "refund"> {
  const { merchant } = talk;
  return {
    async voidTransaction(asked) {
      const { reference, transactionId } = asked;
      if (!isGatewayNumber(transactionId) || !fitsAsKey(reference)) return unsendable(log, reference);
      const request = voidRequest(merchant, transactionId, reference);
      return transact(talk, log, request, reference, (reply) => voidOutcomeOf(reply, asked));
    },

    async refund(refund) {
      const { reference, invoiceNumber = reference, amountCents, transactionId, last4 } = refund;
      const fits = isGatewayNumber(transactionId) && /^\d{4}$/.test(last4);
      if (!fits || !isSendable(amountCents, [reference, invoiceNumber])) return unsendable(log, reference);
      const request = refundRequest(merchant, refund);
      return transact(talk, log, request, reference, (reply) => refundOutcomeOf(reply, reference));
    },
  };
}

function unsendable(log: FastifyBaseLogger, reference: string): NotProcessed {
  log.error({ reference }, "a request does not fit the gateway's fields and was not sent");
  return notProcessed("configuration", "the request does not fit the gateway's fields");
}

/** What covers only a part of the amount is voided at once, and counts as declined when it is. */
async function transactCharge(
  talk: Conversation,
  log: FastifyBaseLogger,
  request: object,
  asked: { readonly reference: string; readonly amountCents: number },
): Promise<ChargeOutcome> {
  const outcome = await transact(talk, log, request, asked.reference, (reply) => chargeOutcomeOf(reply, asked));
  if (outcome.kind !== "partly-approved") return outcome;
  const { transactionId, codes } = outcome;
  const reference = newId();
  const voided = await transact(talk, log, voidRequest(talk.merchant, transactionId, reference), reference, (reply) =>
    voidOutcomeOf(reply, { reference, transactionId }),
  );
  if (voided.kind === "returned") return tooLittle(transactionId, codes);
  return unknownOutcome("only a part of the amount was approved, and it is not voided yet", codes);
}

async function transact<Outcome extends ChargeOutcome | PartlyApproved | ReturnOutcome>(
  { send }: Conversation,
  log: FastifyBaseLogger,
  request: object,
  reference: string,
  read: (reply: Record<string, unknown>) => Outcome,
): Promise<Outcome | NotProcessed | Unknown> {
  const delivery = await send(request);
  const outcome = delivery.kind === "replied" ? read(delivery.reply) : undelivered(delivery);
  logEnd(log, reference, delivery, outcome);
  return outcome;
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
