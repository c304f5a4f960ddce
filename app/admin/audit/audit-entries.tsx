import { Link } from "react-router";
import { ChangeList } from "#app/editing/change-list.tsx";
import { href } from "#contract/addresses.ts";
import type { AuditEntry } from "#contract/admin/audit.ts";
import { formatTimestamp } from "#ui/format/dates.ts";

/** Who did what to whom, with the old and the new value of each field. */
export function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className="grid gap-x-6 gap-y-2 border-line border-b py-4 last:border-b-0 lg:grid-cols-[15rem_minmax(0,1fr)]"
        >
          <div className="text-sm">
            <p className="font-bold">{formatTimestamp(entry.createdAt)}</p>
            <p className="text-ink-soft wrap-anywhere">
              {entry.actor === "system" ? (
                entry.actorName
              ) : (
                <Link to={`/admin/audit?actor=${entry.actor}`} className="underline-offset-4 hover:underline">
                  {entry.actorName}
                </Link>
              )}
            </p>
          </div>
          <div className="min-w-0 text-sm">
            <p className="wrap-anywhere">
              <strong className="first-letter:uppercase">{entry.action}</strong>
              <Subject entry={entry} />
            </p>
            {entry.reason && <p className="mt-1 text-ink-soft wrap-anywhere">“{entry.reason}”</p>}
            <ChangeList before={entry.before} after={entry.after} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Subject({ entry: { action, subject, subjectKind, subjectName } }: { entry: AuditEntry }) {
  const name = subjectName ?? subject;
  // The only offer is named like its kind, and most actions already contain the kind of their subject.
  if (name === subjectKind) return null;
  const isSaid = subjectKind === "other" || action.includes(subjectKind);
  const to =
    subjectKind === "user" && subjectName
      ? href.adminUser(subject)
      : subjectKind === "purchase"
        ? `/admin?tab=purchases&purchase=${encodeURIComponent(subject)}`
        : null;
  return (
    <>
      : {!isSaid && `${subjectKind} `}
      {to ? (
        <Link to={to} className="underline underline-offset-4">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  );
}
