import { GatewayUnavailable } from "../../gateway.ts";
import { classOf } from "../reasons.ts";
import type { Delivery } from "./connection.ts";
import { listOf, objectOf, textOf } from "./replies.ts";
import type { Merchant } from "./requests.ts";

/** How the parts of the adapter talk to the gateway, and as whom. */
export interface Conversation {
  readonly merchant: Merchant;
  /** Sends what must happen at most once, and says how far it came. */
  send(request: object): Promise<Delivery>;
  /**
   * The reply to a question; whatever goes wrong with one, asking again is safe. Throws GatewayUnavailable.
   * @param options.mayBeMissing whether "there is no such record" is an answer; its result code is not "Ok".
   */
  ask(request: object, options?: { readonly mayBeMissing: boolean }): Promise<Record<string, unknown>>;
}

/** Definite: the gateway has no record of that number. */
const NO_SUCH_RECORD = "E00040";

export function conversation(merchant: Merchant, send: Conversation["send"]): Conversation {
  return {
    merchant,
    send,
    async ask(request, { mayBeMissing } = { mayBeMissing: false }) {
      const delivery = await send(request);
      if (delivery.kind !== "replied") throw new GatewayUnavailable(`The gateway did not answer: ${delivery.reason}.`);
      const messages = objectOf(delivery.reply.messages);
      const code = textOf(objectOf(listOf(messages.message)[0]).code);
      if (messages.resultCode === "Ok" || (mayBeMissing && code === NO_SUCH_RECORD)) return delivery.reply;
      const isOurs = code !== null && classOf(code) === "credentials";
      throw new GatewayUnavailable(`The gateway refused to answer: ${code}.`, isOurs ? code : null);
    },
  };
}
