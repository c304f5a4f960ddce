import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import {
  addUserNote,
  deleteUserNote,
  getCorrespondence,
  NewMail,
  NewNote,
  type PersonMail,
  type PersonNote,
  writeToUser,
} from "#contract/admin/people.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { nameOf } from "../words.tsx";

/** Notes about a user, which the user never sees, and emails from administrators to the user. */
export function CorrespondencePanel({ user }: { user: AdminUser }) {
  const [isWriting, setIsWriting] = useState(false);
  const { data, instead } = useLoaded(queryOf(getCorrespondence, { params: { userId: user.id } }), "notes");
  return (
    <Panel
      title="Notes and emails"
      aside={
        <Button variant="outline" size="small" onClick={() => setIsWriting(true)}>
          Write an email
        </Button>
      }
    >
      {data ? (
        <div className="grid gap-x-10 gap-y-6 xl:grid-cols-2">
          <section aria-labelledby="notes-title">
            <h3 id="notes-title" className="printed text-ink-soft">
              Notes
            </h3>
            <NoteForm user={user} />
            {data.notes.length === 0 ? (
              <Nothing>No notes yet.</Nothing>
            ) : (
              <ul className="text-sm">
                {data.notes.map((note) => (
                  <Note key={note.id} note={note} userId={user.id} />
                ))}
              </ul>
            )}
          </section>
          <section aria-labelledby="mails-title">
            <h3 id="mails-title" className="printed text-ink-soft">
              Emails from the team
            </h3>
            {data.mails.length === 0 ? (
              <Nothing>No emails yet.</Nothing>
            ) : (
              <ul className="text-sm">
                {data.mails.map((mail) => (
                  <Mail key={mail.id} mail={mail} />
                ))}
              </ul>
            )}
          </section>
        </div>
      ) : (
        instead
      )}
      {isWriting && <MailDialog user={user} onClose={() => setIsWriting(false)} />}
    </Panel>
  );
}

function NoteForm({ user }: { user: AdminUser }) {
  const form = useActForm(NewNote, {
    kept: `note-${user.id}`,
    saved: { text: "" },
    send: (body) => api(addUserNote, { params: { userId: user.id }, body }),
    words: { done: "Note saved", failed: "Failed to save the note" },
  });
  return (
    <form {...form.frame} className="my-3 grid gap-3">
      <FormField
        form={form}
        name="text"
        label="New note"
        hint="Only the team sees it. We delete it with the account."
        rows={2}
        disabled={form.isSending}
      />
      <Button
        type="submit"
        variant="outline"
        size="small"
        className="w-fit"
        pending={form.isSending}
        disabled={!form.isChanged}
      >
        Save note
      </Button>
    </form>
  );
}

function Note({ note: { id, text, author, writtenAt }, userId }: { note: PersonNote; userId: string }) {
  const remove = useAct(() => api(deleteUserNote, { params: { userId, noteId: id }, body: {} }), {
    done: "Note deleted",
    failed: "Failed to delete the note",
  });
  return (
    <li className="border-line border-b py-3 last:border-b-0">
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-fine text-ink-soft">
        <span>
          {author}, {formatTimestamp(writtenAt)}
        </span>
        <Button variant="quiet" size="small" pending={remove.isPending} onClick={() => remove.mutate()}>
          Delete<span className="sr-only"> note of {formatTimestamp(writtenAt)}</span>
        </Button>
      </div>
    </li>
  );
}

function Mail({ mail: { subject, text, author, writtenAt, sentAt } }: { mail: PersonMail }) {
  return (
    <li className="border-line border-b py-3 last:border-b-0">
      <p className="font-bold wrap-anywhere">{subject}</p>
      <p className="mt-1 whitespace-pre-line wrap-anywhere">{text}</p>
      <p className="mt-1 text-fine text-ink-soft">
        {author}, {formatTimestamp(writtenAt)}
        {sentAt === null && ", on its way"}
      </p>
    </li>
  );
}

function MailDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const form = useActForm(NewMail, {
    kept: `mail-${user.id}`,
    saved: { subject: "", text: "" },
    send: (body) => api(writeToUser, { params: { userId: user.id }, body }),
    words: { done: "The email is on its way", failed: "Failed to send the email" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Write to ${nameOf(user)}`}
      description={`Goes to ${user.email}${user.emailVerified ? "" : ", which hasn’t been confirmed"}. Replies go to support.`}
      confirm="Send email"
      onClose={onClose}
    >
      <FormField form={form} name="subject" label="Subject" autoComplete="off" />
      <FormField
        form={form}
        name="text"
        label="Text"
        hint="Plain text. Each line is a paragraph. The email starts with “Hello” and the first name."
        rows={8}
      />
    </FormDialog>
  );
}
