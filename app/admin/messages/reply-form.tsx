import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { Meanwhile } from "#app/editing/changed-meanwhile.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { LeftOver } from "#app/editing/left-over.tsx";
import { type AdminContact, ContactReply, getContactDetail, replyToContact } from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { useActForm } from "../act-form.ts";

/** The name under which this browser keeps an unsent reply. */
const keptName = (contactId: string) => `reply-${contactId}`;

/** An unsent reply to a message that was deleted. */
export function LeftReply({ contactId }: { contactId: string }) {
  const { value, discard } = useKeptDraft(keptName(contactId), { text: "" });
  if (!value.text) return null;
  return (
    <LeftOver
      why="Someone deleted this message while you were writing. Your reply is kept in this browser."
      before={null}
      after={{ reply: value.text }}
      onDiscard={discard}
    />
  );
}

interface ReplyFormProps {
  contact: AdminContact;
  /** The version of the replies on screen. */
  version: string;
}

/** Replies by email. */
export function ReplyForm({ contact, version }: ReplyFormProps) {
  const queryClient = useQueryClient();
  const form = useActForm(ContactReply, {
    kept: keptName(contact.id),
    saved: { contactId: contact.id, text: "", version },
    async send(body, version) {
      await api(replyToContact, { query: { version }, body: { ...body, contactId: contact.id } });
      // Awaited: text that is typed before this reply is on screen would count as written without knowing it.
      await queryClient.invalidateQueries({
        queryKey: queryOf(getContactDetail, { params: { contactId: contact.id } }).queryKey,
      });
    },
    words: { done: "Reply sent", failed: "Failed to send the reply" },
  });
  return (
    <form {...form.frame} className="grid gap-3">
      <FormField
        form={form}
        name="text"
        label={`Reply to ${contact.name}`}
        hint={`Goes to ${contact.email}. Answers go to support.`}
        rows={5}
        disabled={form.isSending}
      />
      {!form.isSending && form.value.version !== version && (
        <Meanwhile
          label="Answered meanwhile"
          why="Someone replied while you were writing. Read their reply above, then discard yours, or keep it and send it."
          onKeep={() => form.change({ version })}
          discard="Discard mine"
          onDiscard={form.discard}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={form.isSending} disabled={!form.isChanged}>
          Send reply
        </Button>
        {form.isChanged && (
          <Button variant="quiet" disabled={form.isSending} onClick={form.discard}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}
