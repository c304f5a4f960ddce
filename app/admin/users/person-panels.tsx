import { Link } from "react-router";
import type { UserDetail } from "#contract/admin/users.ts";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { Facts } from "../facts.tsx";
import { messageStates } from "../messages/state-badge.tsx";
import { Nothing, Panel } from "../panel.tsx";

export function ProfilePanel({ detail: { user, sessions, signIns } }: { detail: UserDetail }) {
  return (
    <Panel title="Profile">
      <Facts
        facts={[
          ["First name", user.firstName],
          ["Last name", user.lastName],
          ["Phone", user.phone],
          ["Location", user.location],
          ["Bio", user.bio],
          ["Joined", formatTimestamp(user.createdAt)],
          ["Updated", formatTimestamp(user.updatedAt)],
          [
            "Signed in",
            signIns
              .map(
                ({ issuer, lastSignInAt }) =>
                  `${formatTimestamp(lastSignInAt)}${issuer === "built-in" ? "" : ` through ${issuer}`}`,
              )
              .join("\n"),
          ],
          ["Open sessions", sessions],
        ]}
      />
    </Panel>
  );
}

/** The emails to this user, and the user's messages. */
export function EmailsPanel({ detail: { emails, contacts } }: { detail: UserDetail }) {
  return (
    <Panel title="Emails and messages">
      <h3 className="printed text-ink-soft">Emails sent</h3>
      {emails.length === 0 ? (
        <Nothing>No emails yet.</Nothing>
      ) : (
        <ul className="mt-1 text-sm">
          {emails.map(({ id, subject, sentAt }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 border-line border-b py-2 last:border-b-0">
              <span className="min-w-0 wrap-anywhere">{subject}</span>
              <span className="text-ink-soft">{formatShortDay(sentAt)}</span>
            </li>
          ))}
        </ul>
      )}
      <h3 className="printed mt-5 text-ink-soft">Messages received</h3>
      {contacts.length === 0 ? (
        <Nothing>No messages yet.</Nothing>
      ) : (
        <ul className="mt-1 text-sm">
          {contacts.map(({ id, message, state, createdAt }) => (
            <li key={id} className="border-line border-b py-2 last:border-b-0">
              <Link
                to={`/admin?tab=messages&message=${id}`}
                className="line-clamp-2 underline underline-offset-4 wrap-anywhere"
              >
                {message}
              </Link>
              <span className="text-ink-soft">
                {messageStates[state].words}, {formatShortDay(createdAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
