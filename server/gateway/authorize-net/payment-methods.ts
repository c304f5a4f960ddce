import type { FastifyBaseLogger } from "fastify";
import { type CardOutcome, type Gateway, noCodes, type ReplyCodes } from "../gateway.ts";
import { declined, declinedToken, paymentProfileOf } from "./charge-outcomes.ts";
import { codesOf, isCardGone, last4Of } from "./codes.ts";
import type { Delivery } from "./conversation/connection.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { listOf, messageCodesOf, objectOf, textOf } from "./conversation/replies.ts";
import {
  addCardRequest,
  customerRequest,
  deleteCardRequest,
  deleteCustomerRequest,
  detailsRequest,
  fitsAsKey,
  isGatewayNumber,
  keepCardRequest,
  paymentProfileRequest,
} from "./conversation/requests.ts";
import { classOf, type ReasonClass } from "./reasons.ts";

type PaymentProfiles = Pick<Gateway, "addCard" | "keepCardOf" | "findCard" | "deleteCard" | "deleteCustomer">;

export function paymentProfiles(talk: Conversation, log: FastifyBaseLogger): PaymentProfiles {
  const { merchant, ask } = talk;
  return {
    async addCard(card) {
      const { customerProfileId } = card;
      if (!isGatewayNumber(customerProfileId)) return failed("no such customer", noCodes, "no-such-customer");
      const outcome = addOutcomeOf(await talk.send(addCardRequest(merchant, card)), customerProfileId);
      logEnd(log, { customerProfileId }, outcome);
      return outcome;
    },

    async keepCardOf(transactionId, customer) {
      if (!isGatewayNumber(transactionId) || !fitsAsKey(customer.id)) {
        return failed("the request does not fit the gateway's fields", noCodes);
      }
      const outcome = await keepCardOf(talk, transactionId, customer);
      logEnd(log, { transactionId }, outcome);
      return outcome;
    },

    async findCard(card) {
      if (!isGatewayNumber(card.customerProfileId) || !isGatewayNumber(card.paymentProfileId)) return null;
      const reply = await ask(paymentProfileRequest(merchant, card), { mayBeMissing: true });
      const creditCard = cardIn(objectOf(reply.paymentProfile));
      const last4 = last4Of(creditCard.cardNumber);
      return last4 === null ? null : { brand: textOf(creditCard.cardType), last4 };
    },

    async deleteCard(card) {
      if (!isGatewayNumber(card.customerProfileId) || !isGatewayNumber(card.paymentProfileId)) return;
      await ask(deleteCardRequest(merchant, card), { mayBeMissing: true });
    },

    async deleteCustomer(customerProfileId) {
      if (isGatewayNumber(customerProfileId))
        await ask(deleteCustomerRequest(merchant, customerProfileId), { mayBeMissing: true });
    },
  };
}

async function keepCardOf(
  talk: Conversation,
  transactionId: string,
  customer: Parameters<PaymentProfiles["keepCardOf"]>[1],
): Promise<CardOutcome> {
  const { merchant, send } = talk;
  const first = await send(keepCardRequest(merchant, transactionId, customer, null));
  const customerProfileId = existingIdOf(first);
  if (customerProfileId === null) return keepOutcomeOf(first);
  const second = await send(keepCardRequest(merchant, transactionId, customer, customerProfileId));
  // The card exists already. Its number is not always told.
  return isDuplicate(second) ? keptCardOf(talk, transactionId, customerProfileId) : keepOutcomeOf(second);
}

/** The newest one that ends like it. */
async function keptCardOf(
  { merchant, send }: Conversation,
  transactionId: string,
  customerProfileId: string,
): Promise<CardOutcome> {
  const transaction = await send(detailsRequest(merchant, transactionId));
  const customer = await send(customerRequest(merchant, customerProfileId));
  if (transaction.kind !== "replied" || !isOk(transaction.reply)) return failureOf(transaction);
  if (customer.kind !== "replied" || !isOk(customer.reply)) return failureOf(customer);
  const last4 = last4Of(cardIn(objectOf(transaction.reply.transaction)).cardNumber);
  const profiles = listOf(objectOf(customer.reply.profile).paymentProfiles).map(objectOf);
  const found = profiles.findLast((profile) => last4 !== null && last4Of(cardIn(profile).cardNumber) === last4);
  const paymentProfileId = textOf(found?.customerPaymentProfileId);
  if (paymentProfileId === null) return failed("the customer has no such card", codesOf(customer.reply));
  return { kind: "kept", paymentProfile: { customerProfileId, paymentProfileId } };
}

const DUPLICATE_RECORD = "E00039";
const NO_SUCH_RECORD = "E00040";
const TOO_MANY = "E00042";
const CARD_REFUSED = "E00027";
/** What any other request would be answered too says nothing about the card of this one. */
const aboutCards: ReadonlySet<ReasonClass> = new Set(["card-data", "configuration", "declined", "duplicate"]);

function addOutcomeOf(delivery: Delivery, customerProfileId: string): CardOutcome {
  if (delivery.kind !== "replied") return failureOf(delivery);
  const { reply } = delivery;
  const apiCodes = messageCodesOf(reply);
  const codes = codesOf(reply);
  const paymentProfileId = textOf(reply.customerPaymentProfileId) ?? existingIdOf(delivery);
  if (paymentProfileId !== null && (isDuplicate(delivery) || isOk(reply))) {
    return { kind: "kept", paymentProfile: { customerProfileId, paymentProfileId } };
  }
  if (apiCodes.includes(NO_SUCH_RECORD)) return failed("no such customer", codes, "no-such-customer");
  if (isCardGone(apiCodes)) return declinedToken(codes);
  if (apiCodes.includes(CARD_REFUSED)) return declined(null, validationCodesOf(reply, codes));
  return failureOf(delivery);
}

function keepOutcomeOf(delivery: Delivery): CardOutcome {
  const paymentProfile = delivery.kind === "replied" && isOk(delivery.reply) && paymentProfileOf(delivery.reply);
  return paymentProfile ? { kind: "kept", paymentProfile } : failureOf(delivery);
}

/** Only the sentence tells the number. */
function existingIdOf(delivery: Delivery): string | null {
  if (delivery.kind !== "replied") return null;
  const messages = listOf(objectOf(delivery.reply.messages).message).map(objectOf);
  const duplicate = messages.find((message) => textOf(message.code) === DUPLICATE_RECORD);
  return /\bID (\d{1,20})\b/.exec(textOf(duplicate?.text) ?? "")?.[1] ?? null;
}

function isDuplicate(delivery: Delivery): boolean {
  return delivery.kind === "replied" && messageCodesOf(delivery.reply).includes(DUPLICATE_RECORD);
}

/** The answer of the validation is a line of the older interface: response, -, reason, text, -, AVS, ... */
function validationCodesOf(reply: Record<string, unknown>, codes: ReplyCodes): ReplyCodes {
  const [response, , reason, , , avs] = (textOf(reply.validationDirectResponse) ?? "").split(",");
  return { response: response || null, reason: reason || codes.reason, avs: avs || null, cvv: null };
}

function cardIn(described: Record<string, unknown>): Record<string, unknown> {
  return objectOf(objectOf(described.payment).creditCard);
}

function isOk(reply: Record<string, unknown>): boolean {
  return objectOf(reply.messages).resultCode === "Ok";
}

type Failed = CardOutcome & { kind: "failed" };

function failed(reason: string, codes: ReplyCodes, why: Failed["why"] = "refused"): Failed {
  return { kind: "failed", why, reason, codes };
}

function failureOf(delivery: Delivery): Failed {
  if (delivery.kind !== "replied") return failed(delivery.reason, noCodes, "unknown");
  const apiCodes = messageCodesOf(delivery.reply);
  const isAboutCard = apiCodes.length > 0 && apiCodes.map(classOf).every((one) => one !== null && aboutCards.has(one));
  const why = apiCodes.includes(TOO_MANY) ? "too-many-cards" : isAboutCard ? "refused" : "unknown";
  return failed(`the gateway answered ${apiCodes.join(", ") || "without a code"}`, codesOf(delivery.reply), why);
}

function logEnd(log: FastifyBaseLogger, about: object, outcome: CardOutcome): void {
  if (outcome.kind === "kept") {
    log.info({ ...about, outcome: outcome.kind }, "a card is kept");
    return;
  }
  const reason = outcome.kind === "failed" ? outcome.reason : undefined;
  log.warn({ ...about, outcome: outcome.kind, codes: outcome.codes, reason }, "a card is not kept");
}
