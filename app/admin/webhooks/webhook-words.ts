import type { ComponentProps } from "react";
import type { Webhook, WebhookDelivery } from "#contract/admin/webhooks.ts";
import { webhookEvents } from "#contract/webhook-events.ts";
import type { Badge } from "#ui/badge.tsx";

type State = Pick<ComponentProps<typeof Badge>, "tone"> & { words: string };

export function stateOf({ stoppedBecause, failingSince }: Webhook): State {
  switch (stoppedBecause) {
    case "paused":
      return { tone: "plain", words: "Paused" };
    case "gone":
      return { tone: "danger", words: "Stopped: the address no longer exists" };
    case "failing":
      return { tone: "danger", words: "Stopped after five days of failures" };
    default:
      return failingSince ? { tone: "tag", words: "Deliveries are failing" } : { tone: "success", words: "Active" };
  }
}

export const deliveryStates: Readonly<Record<WebhookDelivery["state"], State>> = {
  waiting: { tone: "plain", words: "Waiting" },
  delivered: { tone: "success", words: "Delivered" },
  failed: { tone: "danger", words: "Failed" },
};

export function eventWords(type: WebhookDelivery["type"]): string {
  return type === "test" ? "Test" : webhookEvents[type];
}
