import type { UserDetail } from "#contract/admin/users.ts";
import { planName } from "#ui/academy.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { Nothing, Panel } from "../panel.tsx";
import { sourceOf } from "../words.tsx";

type Grant = UserDetail["grants"][number];

/** The user's current access, and the grants that explain it, newest first. */
export function AccessPanel({ detail: { user, access, grants } }: { detail: UserDetail }) {
  const pastGrace = grants.filter(isPastGrace);
  return (
    <Panel title="Access">
      <p className="text-sm">
        {access.tier ? (
          <>
            <strong>{planName(access.tier)}</strong>
            {access.until ? ` until ${formatShortDay(access.until)}` : ", no end date"}
            {access.source && `. ${sourceOf(access.source)}`}
            {access.since && ` on ${formatShortDay(access.since)}`}
          </>
        ) : (
          "This user has no access."
        )}
      </p>
      {user.suspensionReason && (
        <p className="mt-3 rounded-sm bg-danger-soft px-4 py-3 text-sm wrap-anywhere">
          <strong className="block text-danger">Blocked</strong>
          {user.suspensionReason}
          {user.waitsForPayment && (
            <span className="block">
              The course was already reopened once without a payment. It opens again when the student pays.
            </span>
          )}
        </p>
      )}
      <h3 className="printed mt-5 text-ink-soft">Access history</h3>
      {grants.length === 0 ? (
        <Nothing>No access yet.</Nothing>
      ) : (
        <>
          <Ledger grants={grants.filter((grant) => !isPastGrace(grant))} />
          {pastGrace.length > 0 && (
            <details className="mt-2 text-sm">
              <summary className="w-fit text-ink-soft underline underline-offset-4 hover:text-ink">
                {formatCountOf(pastGrace.length, "past grace period")}
              </summary>
              <Ledger grants={pastGrace} />
            </details>
          )}
        </>
      )}
    </Panel>
  );
}

/** Days that were given while a card was declined. They explain nothing that is open now. */
function isPastGrace({ source, isInForce }: Grant): boolean {
  return source === "grace" && !isInForce;
}

function Ledger({ grants }: { grants: readonly Grant[] }) {
  return (
    <ol className="mt-1 text-sm">
      {grants.map((grant) => (
        <li key={grant.id} className="border-line border-b py-2 last:border-b-0">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className={grant.isInForce ? "font-bold" : "text-ink-soft"}>
              {planName(grant.tier)}
              {grant.isInForce && " (current)"}
            </span>
            <span className="text-ink-soft">{sourceOf(grant.source)}</span>
          </p>
          <p className="text-fine text-ink-soft wrap-anywhere">
            {period(grant)}
            {grant.reason && `: ${grant.reason}`}
          </p>
        </li>
      ))}
    </ol>
  );
}

function period({ startsAt, endsAt, endedAt }: Grant): string {
  const from = formatShortDay(startsAt);
  if (endedAt) return `${from} to ${formatShortDay(endedAt)}, ended early`;
  return endsAt ? `${from} to ${formatShortDay(endsAt)}` : `From ${from}, no end date`;
}
