import type { Gateway } from "../gateway.ts";
import { codesOf } from "./codes.ts";
import { type Conversation, unavailable } from "./conversation/conversation.ts";
import { listOf, objectOf, textOf } from "./conversation/replies.ts";
import { authenticateTestRequest, merchantDetailsRequest } from "./conversation/requests.ts";

export function account({ merchant, send, ask }: Conversation): Pick<Gateway, "testConnection" | "merchantDetails"> {
  return {
    async testConnection() {
      const delivery = await send(authenticateTestRequest(merchant));
      if (delivery.kind !== "replied") throw unavailable(delivery);
      if (objectOf(delivery.reply.messages).resultCode === "Ok") {
        return { success: true, message: "The gateway answers and takes our credentials." };
      }
      const code = codesOf(delivery.reply).reason ?? "no code";
      return { success: false, message: `The gateway answers and refuses our credentials (${code}).` };
    },

    async merchantDetails() {
      const reply = await ask(merchantDetailsRequest(merchant));
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
