import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { ShowMore } from "#app/learning/questions/show-more.tsx";
import { listWebhookDeliveries, resendWebhook, type Webhook, type WebhookDelivery } from "#contract/admin/webhooks.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { deliveryStates, eventWords } from "./webhook-words.ts";

/** The log of the last 30 days, loaded when it is opened. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer py-2 font-bold text-sm">Deliveries of the last 30 days</summary>
      {isOpen && <Log webhook={webhook} />}
    </details>
  );
}

const pageSize = 20;

function Log({ webhook }: { webhook: Webhook }) {
  const params = { id: webhook.id };
  const log = useInfiniteQuery({
    queryKey: [...queryOf(listWebhookDeliveries, { params, query: {} }).queryKey, "pages"],
    queryFn: ({ pageParam, signal }) =>
      api(listWebhookDeliveries, { params, query: { limit: pageSize, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ rows }) => (rows.length < pageSize ? undefined : rows.at(-1)?.id),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((row) => row.state === "waiting" && row.attempts === 0))
        ? 3000
        : false,
  });
  if (log.isPending) return <PartLoading what="deliveries" />;
  if (log.isError) return <PartFailed what="deliveries" retry={log.refetch} isRetrying={log.isRefetching} />;
  const rows = log.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <p className="py-2 text-ink-soft text-sm">Nothing sent yet. Send a test to try it.</p>;
  return (
    <div className="grid gap-3">
      <ul className="divide-y divide-line border-line border-y">
        {rows.map((delivery) => (
          <li key={delivery.id} className="grid gap-2 py-3 text-sm">
            <Delivery webhook={webhook} delivery={delivery} />
          </li>
        ))}
      </ul>
      <ShowMore list={log} what="deliveries" />
    </div>
  );
}

function Delivery({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { id: deliveryId, eventId, type, state, attempts, problem, body, createdAt, nextAttemptAt } = delivery;
  const resend = useAct(() => api(resendWebhook, { params: { id: webhook.id, deliveryId }, body: {} }), {
    done: "We’re sending it again",
    failed: "We couldn’t send it again",
  });
  const { tone, words } = deliveryStates[state];
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{words}</Badge>
        <span className="font-semibold">{eventWords(type)}</span>
        <span className="text-ink-soft">{formatTimestamp(createdAt)}</span>
        {webhook.stoppedAt === null && state !== "waiting" && (
          <Button
            variant="outline"
            size="small"
            className="ml-auto"
            aria-label={`Send again: ${eventWords(type)}, ${formatTimestamp(createdAt)}`}
            pending={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Send again
          </Button>
        )}
      </div>
      {problem && (
        <p>
          {problem} {attempts > 1 && `${attempts} attempts so far.`}{" "}
          {state === "waiting" && nextAttemptAt && `Next attempt ${formatTimestamp(nextAttemptAt)}.`}
        </p>
      )}
      <details>
        <summary className="cursor-pointer text-fine text-ink-soft">Content</summary>
        <pre className="mt-2 whitespace-pre-wrap wrap-anywhere rounded-sm border border-line bg-canvas p-3 text-fine">
          {`webhook-id: ${eventId}\n${body}`}
        </pre>
      </details>
    </>
  );
}
