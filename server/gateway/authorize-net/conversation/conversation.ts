import { explain } from "#server/base/failures.ts";
import { GatewayUnavailable } from "../../gateway.ts";
import { classOf } from "../reasons.ts";
import type { Delivery } from "./connection.ts";
import { listOf, objectOf, textOf } from "./replies.ts";
import type { Merchant } from "./requests.ts";

export interface Conversation {
  readonly merchant: Merchant;
  /** For what must happen at most once. */
  send(request: object): Promise<Delivery>;
  /** For questions, safe to repeat; `mayBeMissing`: "no such record" is an answer. @throws GatewayUnavailable */
  ask(request: object, options?: { readonly mayBeMissing: boolean }): Promise<Record<string, unknown>>;
}

export function unavailable({ reason }: Exclude<Delivery, { kind: "replied" }>): GatewayUnavailable {
  return new GatewayUnavailable(`The gateway is unavailable. ${explain(reason, "gateway")}.`);
}

const NO_SUCH_RECORD = "E00040";

export function conversation(merchant: Merchant, send: Conversation["send"]): Conversation {
  return {
    merchant,
    send,
    async ask(request, { mayBeMissing } = { mayBeMissing: false }) {
      const delivery = await send(request);
      if (delivery.kind !== "replied") throw unavailable(delivery);
      const messages = objectOf(delivery.reply.messages);
      const code = textOf(objectOf(listOf(messages.message)[0]).code);
      if (messages.resultCode === "Ok" || (mayBeMissing && code === NO_SUCH_RECORD)) return delivery.reply;
      const isOurs = code !== null && classOf(code) === "credentials";
      const refusal = isOurs ? "refuses our credentials" : "refused to answer";
      throw new GatewayUnavailable(`The gateway ${refusal} (${code ?? "no code"}).`, isOurs ? code : null);
    },
  };
}
