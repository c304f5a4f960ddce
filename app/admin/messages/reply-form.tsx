import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { type AdminContact, replyToContact } from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { useAct } from "../act.ts";

/** Answers by mail. What was typed stays in this browser until it is sent. */
export function ReplyForm({ contact }: { contact: AdminContact }) {
  const { value: text, change, discard } = useKeptDraft(`reply-${contact.id}`, "");
  const act = useAct(
    () => api(replyToContact, { body: { contactId: contact.id, text } }),
    { done: "Reply sent", failed: "Failed to send the reply" },
    discard,
  );

  const { frame, faults } = useForm({ send: () => act.mutateAsync() });

  return (
    <form {...frame} className="grid gap-3">
      <Field
        name="text"
        label={`Reply to ${contact.name}`}
        hint={`Goes to ${contact.email}; what they answer arrives at support.`}
        error={faults.text}
      >
        <Textarea
          rows={5}
          maxLength={5000}
          value={text}
          readOnly={act.isPending}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={act.isPending} disabled={!text.trim()}>
          Send reply
        </Button>
        {text && (
          <Button variant="quiet" disabled={act.isPending} onClick={discard}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}
