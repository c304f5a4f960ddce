import type { ComponentProps } from "react";
import type { Webhook, WebhookDelivery } from "#contract/admin/webhooks.ts";
import { type WebhookEvent, webhookEvents } from "#contract/webhook-events.ts";
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

type Subject<Event> = Event extends `${infer Name}.${string}` ? Name : never;

const titles: Readonly<Record<Subject<WebhookEvent>, string>> = {
  user: "People",
  purchase: "Purchases",
  access: "Memberships",
  subscription: "Memberships",
  lesson: "Course",
  certificate: "Course",
  question: "Course",
  booking: "Coaching",
};

const subjectOf = (event: string) => event.split(".")[0] as Subject<WebhookEvent>;

/** The words of all events, by the title of their group. */
export const eventGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  [...new Set(Object.values(titles))].map((title) => {
    const events = Object.entries(webhookEvents);
    return [title, Object.fromEntries(events.filter(([event]) => titles[subjectOf(event)] === title))];
  }),
);

export function eventWords(type: WebhookDelivery["type"]): string {
  return type === "test" ? "Test" : webhookEvents[type];
}
