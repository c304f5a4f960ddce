import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  type Webhook,
  WebhookTerms,
} from "#contract/admin/webhooks.ts";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { Ticks } from "./ticks.tsx";
import { eventGroups } from "./webhook-words.ts";

interface WebhookDialogProps {
  /** Null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const form = useActForm(WebhookTerms, {
    kept: `webhook-${webhook?.id ?? "new"}`,
    saved: { url: webhook?.url ?? "https://", events: webhook?.events ?? [] },
    asks: { url: "Enter an address that begins with https://." },
    async send(body) {
      if (!webhook) return (await api(createWebhook, { body })).secret;
      await api(changeWebhook, {
        params: { id: webhook.id },
        body,
      });
      return null;
    },
    words: { done: webhook ? "Webhook saved" : "Webhook created", failed: "We couldn’t save the webhook" },
    onDone(secret) {
      onClose();
      if (secret) onSecret(secret);
    },
  });
  return (
    <FormDialog
      form={form}
      title={webhook ? "Change webhook" : "New webhook"}
      description="We’ll send each event to this address as JSON."
      confirm={webhook ? "Save" : "Create webhook"}
      onClose={onClose}
    >
      <FormField
        form={form}
        name="url"
        label="Address"
        hint="Your tool shows it to you, often as “webhook URL”."
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        rows={1}
      />
      <Ticks form={form} name="events" legend="Events" groups={eventGroups} />
    </FormDialog>
  );
}

interface OfWebhook {
  webhook: Webhook;
  onClose: () => void;
}

export function RotateDialog({ webhook, onClose, onSecret }: OfWebhook & { onSecret: (secret: string) => void }) {
  return (
    <ConfirmDialog
      title="Create a new secret?"
      description="Enter the new secret in your tool within 24 hours. Until then, deliveries are signed with both."
      confirm="Create secret"
      act={() => api(rotateWebhookSecret, { params: { id: webhook.id }, body: {} })}
      words={{ done: "Secret created", failed: "We couldn’t create a secret" }}
      onDone={({ secret }) => {
        onClose();
        onSecret(secret);
      }}
      onClose={onClose}
    />
  );
}

export function DeleteDialog({ webhook, onClose }: OfWebhook) {
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      description={`We’ll stop sending events to ${webhook.url} and delete its log. You can’t undo this.`}
      confirm="Delete webhook"
      isDangerous
      act={() => api(deleteWebhook, { params: { id: webhook.id } })}
      words={{ done: "Webhook deleted", failed: "We couldn’t delete the webhook" }}
      goneId={webhook.id}
      onClose={onClose}
    />
  );
}
