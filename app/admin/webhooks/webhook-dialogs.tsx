import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { faultOf } from "#app/editing/written.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  type Webhook,
  WebhookTerms,
} from "#contract/admin/webhooks.ts";
import { webhookEventNames, webhookEvents } from "#contract/webhook-events.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { Checkbox } from "#ui/controls/field.tsx";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";

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
      description="We send each event as JSON to this address, signed by the Standard Webhooks specification."
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
      <Events form={form} />
    </FormDialog>
  );
}

function Events({ form }: { form: FormOf<WebhookTerms> }) {
  const { events } = form.value;
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 font-bold text-sm">Events</legend>
      {webhookEventNames.map((name, at) => (
        <Checkbox
          key={name}
          name="events"
          label={
            <>
              {webhookEvents[name]} <code className="text-fine text-ink-soft">{name}</code>
            </>
          }
          checked={events.includes(name)}
          onChange={({ target }) =>
            form.change({
              events: webhookEventNames.filter((one) => (one === name ? target.checked : events.includes(one))),
            })
          }
          error={at === webhookEventNames.length - 1 ? faultOf(form, "events") : null}
        />
      ))}
    </fieldset>
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

export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      title="Signing secret"
      description="Copy it into your tool now. We can’t show it again, but you can create a new one any time."
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="grid gap-5">
        <code className="block select-all rounded-sm border border-line bg-canvas p-3 text-sm wrap-anywhere">
          {secret}
        </code>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={() => void navigator.clipboard?.writeText(secret)}>
            Copy secret
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
