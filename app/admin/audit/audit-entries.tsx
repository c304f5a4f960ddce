import { Link } from "react-router";
import { Changes } from "#app/editing/change-list.tsx";
import { href } from "#contract/addresses.ts";
import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { detailsOf } from "./audit-details.ts";
import { actionWords } from "./audit-words.ts";

/** Who did what to whom, with the old and the new value of each field. */
export function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className="grid gap-x-6 gap-y-2 border-line border-b py-4 last:border-b-0 lg:grid-cols-[15rem_minmax(0,1fr)]"
        >
          <p className="text-ink-soft text-sm">{formatTimestamp(entry.createdAt)}</p>
          <div className="min-w-0 text-sm">
            <Sentence entry={entry} />
            {entry.reason && <p className="mt-1 text-ink-soft wrap-anywhere">“{entry.reason}”</p>}
            <Details entry={entry} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The changed fields, folded, so that the log reads as sentences. */
function Details({ entry }: { entry: AuditEntry }) {
  const changes = detailsOf(entry);
  if (changes.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="w-fit min-h-8 content-center text-fine text-ink-soft underline underline-offset-4">
        Details
      </summary>
      <Changes changes={changes} />
    </details>
  );
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const [before, behind] = actionWords(entry);
  return (
    <p className="wrap-anywhere">
      {entry.token !== null && `The token “${entry.token}” of `}
      <strong>
        {entry.actor === "system" ? (
          "The academy"
        ) : (
          <Link to={`/admin/audit?actor=${entry.actor}`} className="underline-offset-4 hover:underline">
            {entry.actorName}
          </Link>
        )}
      </strong>{" "}
      {/* The only offer is named like its kind, which its actions contain. */}
      {behind === undefined ? (
        before
      ) : subjectOf(entry) === entry.subjectKind ? (
        before.replace(/: $/, "")
      ) : (
        <>
          {before}
          <Subject entry={entry} />
          {behind}
        </>
      )}
    </p>
  );
}

const isId = /^[0-9a-hjkmnp-tv-z]{20}$/;

function subjectOf({ subject, subjectName }: AuditEntry): string {
  return subjectName ?? (isId.test(subject) ? "(deleted)" : subject);
}

function Subject({ entry }: { entry: AuditEntry }) {
  const { subject, subjectKind, subjectName } = entry;
  const to =
    subjectKind === "user" && subjectName
      ? href.adminUser(subject)
      : subjectKind === "purchase"
        ? `/admin?tab=purchases&purchase=${encodeURIComponent(subject)}`
        : null;
  if (to === null) return subjectOf(entry);
  return (
    <Link to={to} className="underline underline-offset-4">
      {subjectOf(entry)}
    </Link>
  );
}
