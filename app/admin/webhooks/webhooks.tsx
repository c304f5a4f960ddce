import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { listTokens } from "#contract/admin/tokens.ts";
import { changeWebhook, listWebhooks, mostWebhooks, testWebhook, type Webhook } from "#contract/admin/webhooks.ts";
import { webhookEvents } from "#contract/webhook-events.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { AdminPage } from "../admin-page.tsx";
import { RowActions } from "../row-actions.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Examples } from "./examples.tsx";
import { Part } from "./part.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Tokens } from "./tokens.tsx";
import { DeleteDialog, RotateDialog, WebhookDialog } from "./webhook-dialogs.tsx";
import { stateOf } from "./webhook-words.ts";

type Asked = { what: "new" } | { what: "change" | "delete" | "rotate"; webhook: Webhook };

/** The webhooks and tokens by which other tools are connected, with examples of both. */
export default function ConnectionsPage() {
  return (
    <AdminPage
      title="Connections"
      description="Webhooks and tokens of other tools, for owners."
      lead="Webhooks tell your other tools what happens here. Tokens let them read data and give access."
    >
      <div className="grid gap-12">
        <Webhooks />
        <Tokens />
        <Examples />
      </div>
    </AdminPage>
  );
}

ConnectionsPage.queries = () => [queryOf(listWebhooks), queryOf(listTokens)];

function Webhooks() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useQuery(queryOf(listWebhooks));
  const close = () => setAsked(null);
  const isFull = (list.data?.length ?? 0) >= mostWebhooks;
  return (
    <Part
      title="Webhooks"
      action={
        <Button disabled={isFull} onClick={() => setAsked({ what: "new" })}>
          New webhook
        </Button>
      }
    >
      {list.isPending && <PartLoading what="webhooks" />}
      {list.isError && <PartFailed what="webhooks" retry={list.refetch} isRetrying={list.isRefetching} />}
      {list.data?.length === 0 && (
        <p className="text-ink-soft">
          No webhooks yet. Add the address of a tool that can receive them, such as your mailing list or spreadsheet.
        </p>
      )}
      <ul className="grid grid-cols-1 gap-4">
        {list.data?.map((webhook) => (
          <li key={webhook.id}>
            <WebhookCard webhook={webhook} onAsk={setAsked} />
          </li>
        ))}
      </ul>
      {isFull && <p className="mt-4 text-ink-soft text-sm">You can have up to {mostWebhooks} webhooks.</p>}
      {asked?.what === "new" && <WebhookDialog webhook={null} onClose={close} onSecret={setSecret} />}
      {asked?.what === "change" && <WebhookDialog webhook={asked.webhook} onClose={close} onSecret={setSecret} />}
      {asked?.what === "delete" && <DeleteDialog webhook={asked.webhook} onClose={close} />}
      {asked?.what === "rotate" && <RotateDialog webhook={asked.webhook} onClose={close} onSecret={setSecret} />}
      {secret && (
        <SecretDialog
          title="Signing secret"
          description="Copy it into your tool now. We can’t show it again, but you can create a new one any time."
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Part>
  );
}

function WebhookCard({ webhook, onAsk }: { webhook: Webhook; onAsk: (asked: Asked) => void }) {
  const { id, url, events, stoppedAt, lastDeliveredAt, hasTwoSecrets } = webhook;
  const test = useAct(() => api(testWebhook, { params: { id }, body: {} }), {
    done: "We’re sending a test",
    failed: "We couldn’t send the test",
  });
  const pause = useAct((isPaused: boolean) => api(changeWebhook, { params: { id }, body: { url, events, isPaused } }), {
    done: stoppedAt ? "Webhook resumed" : "Webhook paused",
    failed: "We couldn’t save the webhook",
  });
  const { tone, words } = stateOf(webhook);
  return (
    <Card className="grid gap-3">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-bold wrap-anywhere">{url}</h3>
        <RowActions
          of={url}
          actions={[
            { label: "Change", onPress: () => onAsk({ what: "change", webhook }) },
            stoppedAt === null && { label: "Send test", isPending: test.isPending, onPress: () => test.mutate() },
            {
              label: stoppedAt ? "Resume" : "Pause",
              isPending: pause.isPending,
              onPress: () => pause.mutate(stoppedAt === null),
            },
            { label: "New secret", onPress: () => onAsk({ what: "rotate", webhook }) },
            { label: "Delete", isDangerous: true, onPress: () => onAsk({ what: "delete", webhook }) },
          ]}
        />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-sm">
        <Badge tone={tone}>{words}</Badge>
        {lastDeliveredAt ? `Last delivered ${formatTimestamp(lastDeliveredAt)}` : "Nothing delivered yet"}
        {hasTwoSecrets && " · The previous secret works for 24 hours after the change"}
      </p>
      <p className="text-sm">{events.map((event) => webhookEvents[event]).join(" · ")}</p>
      <Deliveries webhook={webhook} />
    </Card>
  );
}
