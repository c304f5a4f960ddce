import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { Meanwhile } from "#app/editing/changed-meanwhile.tsx";
import type { Versioned } from "#app/editing/editing.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { LeftOver } from "#app/editing/left-over.tsx";
import { type AdminContact, replyToContact } from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { useAct } from "../act.ts";
import { contactQuery } from "../admin-queries.ts";

interface ReplyFormProps {
  contact: AdminContact;
  /** The version of the replies on screen. */
  version: string;
}

/** The typed reply. This browser keeps it until it is sent or discarded. */
function useTypedReply(contactId: string, version?: string) {
  const saved: Versioned<{ text: string }> = { text: "", version };
  const { value, change, discard } = useKeptDraft<typeof saved | string>(`reply-${contactId}`, saved);
  // The previous release kept only the text.
  return { written: typeof value === "string" ? { text: value, version } : value, change, discard };
}

/** An unsent reply to a message that was deleted. */
export function LeftReply({ contactId }: { contactId: string }) {
  const { written, discard } = useTypedReply(contactId);
  if (!written.text) return null;
  return (
    <LeftOver
      why="It was deleted while you were answering. What you wrote is kept in this browser."
      before={null}
      after={{ reply: written.text }}
      onDiscard={discard}
    />
  );
}

/** Replies by email. This browser keeps the text until it is sent. */
export function ReplyForm({ contact, version }: ReplyFormProps) {
  const { written, change, discard } = useTypedReply(contact.id, version);
  const { text } = written;
  const queryClient = useQueryClient();
  const act = useAct(
    async () => {
      await api(replyToContact, { query: { version: written.version }, body: { contactId: contact.id, text } });
      discard();
      // Awaited: text that is typed before this reply is on screen would count as written without knowing it.
      await queryClient.invalidateQueries({ queryKey: contactQuery(contact.id).queryKey });
    },
    { done: "Reply sent", failed: "Failed to send the reply" },
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
          onChange={({ target }) => change({ ...written, text: target.value })}
        />
      </Field>
      {written.version !== version && (
        <Meanwhile
          label="Answered meanwhile"
          why="Somebody has answered this since you began to write. Read it above; discard what you wrote, or keep it and send it."
          onKeep={() => change({ text, version })}
          discard="Discard mine"
          onDiscard={discard}
        />
      )}
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
