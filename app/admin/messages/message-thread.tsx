import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError, api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { May } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import {
  type AdminContact,
  type ContactDetail,
  type ContactState,
  deleteContact,
  getContactDetail,
  type Marked,
  markContact,
} from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { useAddress } from "../address.ts";
import { Nothing } from "../panel.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { AccountBadge, TierBadge } from "../words.tsx";
import { LeftReply, ReplyForm } from "./reply-form.tsx";
import { messageStates, StateBadge } from "./state-badge.tsx";

interface MessageThreadProps {
  contactId: string;
  onMarked: (marked: Marked) => void;
}

/** A message with its replies, the sender's account and the reply form. */
export function MessageThread({ contactId, onMarked }: MessageThreadProps) {
  const { write } = useAddress();
  const { data, isPending, error, refetch } = useQuery(queryOf(getContactDetail, { params: { contactId } }));
  return (
    <section aria-label="Message" className="grid min-w-0 gap-5">
      <button
        type="button"
        onClick={() => write({ message: null })}
        className="w-fit font-semibold text-sm underline decoration-2 underline-offset-4 xl:hidden"
      >
        All messages
      </button>
      {data ? (
        <Thread detail={data} onMarked={onMarked} onDeleted={() => write({ message: null })} />
      ) : isPending ? (
        <PartLoading what="message" />
      ) : error instanceof ApiError && error.status === 404 ? (
        <>
          <LeftReply contactId={contactId} />
          <Nothing>We couldn't find this message.</Nothing>
        </>
      ) : (
        <PartFailed what="the message" retry={refetch} />
      )}
    </section>
  );
}

interface ThreadProps {
  detail: ContactDetail;
  onMarked: (marked: Marked) => void;
  onDeleted: () => void;
}

function Thread({ detail, onMarked, onDeleted }: ThreadProps) {
  const { contact, replies, version } = detail;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="font-bold text-heading wrap-anywhere">{contact.name}</h2>
          <p className="text-ink-soft text-sm wrap-anywhere">{contact.email}</p>
        </div>
        <Piles contact={contact} onMarked={onMarked} onDeleted={onDeleted} />
      </div>
      <ol aria-label="Conversation" className="grid gap-4">
        <Message from={contact.name} at={formatTimestamp(contact.createdAt)} aside={<StateBadge message={contact} />}>
          {contact.message}
        </Message>
        {replies.map(({ id, author, text, writtenAt, sentAt }) => (
          <Message
            key={id}
            isOurs
            from={author}
            at={formatTimestamp(writtenAt)}
            aside={<span className="text-fine text-ink-soft">{sentAt ? "Sent" : "On its way"}</span>}
          >
            {text}
          </Message>
        ))}
      </ol>
      <ReplyForm contact={contact} version={version} />
      <Account detail={detail} />
    </>
  );
}

interface MessageProps {
  from: string;
  at: string;
  aside: ReactNode;
  isOurs?: boolean;
  children: string;
}

function Message({ from, at, aside, isOurs, children }: MessageProps) {
  return (
    <li className={isOurs ? "rounded-md bg-kraft-soft p-4 sm:ml-10" : "rounded-md border border-line bg-surface p-4"}>
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <span className="min-w-0 wrap-anywhere">
          <strong>{from}</strong> <span className="text-ink-soft">{at}</span>
        </span>
        {aside}
      </p>
      <p className="mt-3 whitespace-pre-wrap wrap-anywhere">{children}</p>
    </li>
  );
}

const moves: readonly { to: ContactState; label: string; from: readonly ContactState[] }[] = [
  { to: "new", label: "Mark as new", from: ["open"] },
  { to: "open", label: "Mark as open", from: ["new", "answered"] },
  { to: "answered", label: "Mark as answered", from: ["new", "open"] },
];

interface PilesProps extends Omit<ThreadProps, "detail"> {
  contact: AdminContact;
}

function Piles({ contact, onMarked, onDeleted }: PilesProps) {
  const [isAsking, setIsAsking] = useResumable(`message ${contact.id}`, false);
  const mark = useAct(
    (state: ContactState) => api(markContact, { body: { contactId: contact.id, state } }),
    { done: "Message marked", failed: "Failed to mark the message" },
    onMarked,
  );
  return (
    <div className="flex flex-wrap gap-1 max-sm:-ml-3.5">
      {moves
        .filter(({ from }) => from.includes(contact.state))
        .map(({ to, label }) => (
          <Button
            key={to}
            variant="quiet"
            size="small"
            pending={mark.isPending && mark.variables === to}
            onClick={() => mark.mutate(to)}
          >
            {label}
          </Button>
        ))}
      <May permission="people:delete">
        <Button
          variant="quiet"
          size="small"
          className="hover:text-danger focus-visible:text-danger"
          onClick={() => setIsAsking(true)}
        >
          Delete
        </Button>
      </May>
      {isAsking && <DeleteDialog contact={contact} onDeleted={onDeleted} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

interface DeleteDialogProps {
  contact: AdminContact;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog({ contact, onDeleted, onClose }: DeleteDialogProps) {
  return (
    <ReasonDialog
      about={contact.id}
      title={`Delete the message from ${contact.name}?`}
      description="We’ll delete it with its replies. You can’t undo this."
      confirm="Delete message"
      isDangerous
      act={(reason) => api(deleteContact, { body: { contactId: contact.id, reason } })}
      words={{ done: "Message deleted", failed: "Failed to delete the message" }}
      goneId={contact.id}
      onClose={onClose}
      onDone={onDeleted}
    />
  );
}

/** The account that has confirmed the sender's address, if there is one, and other messages from that address. */
function Account({ detail: { account, others } }: { detail: ContactDetail }) {
  return (
    <div className="grid gap-4 rounded-md bg-sunken p-4 text-sm">
      {account ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link to={href.adminUser(account.id)} className="font-bold underline underline-offset-4 wrap-anywhere">
            {account.name}
          </Link>
          <TierBadge tier={account.purchasedTier} />
          <AccountBadge status={account.accountStatus} />
          <span className="text-ink-soft">since {formatShortDay(account.createdAt)}</span>
        </div>
      ) : (
        <p className="text-ink-soft">No account has this address.</p>
      )}
      {others.length > 0 && (
        <div>
          <h3 className="printed text-ink-soft">Other messages from this address</h3>
          <ul className="mt-1">
            {others.map(({ id, message, state, createdAt }) => (
              <li key={id} className="border-line border-b py-2 last:border-b-0">
                <Link
                  to={`/admin?tab=messages&message=${id}`}
                  preventScrollReset
                  className="line-clamp-1 underline underline-offset-4 wrap-anywhere"
                >
                  {message}
                </Link>
                <span className="text-ink-soft">
                  {messageStates[state].words}, {formatShortDay(createdAt)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
