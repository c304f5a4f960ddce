import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getStudentCoaching } from "#contract/admin/coaching.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import type { Allowance } from "#contract/coaching/coaching.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { Bookings } from "../coaching/bookings.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { nameOf } from "../words.tsx";

/** A student's remaining and booked 1-on-1 sessions, and what an administrator can do on the student's behalf. */
export function CoachingPanel({ user }: { user: AdminUser }) {
  const { data, error } = useQuery(queryOf(getStudentCoaching, { params: { id: user.id } }));
  if (!data) {
    return (
      <Panel title="1-on-1 coaching">
        <Nothing>{error ? "The sessions didn't load." : "Loading the sessions"}</Nothing>
      </Panel>
    );
  }
  return (
    <Bookings
      title="1-on-1 coaching"
      coaches={data.allowance ? data.coaches : []}
      student={{ id: user.id, name: nameOf(user) }}
    >
      <p className="mb-4 max-w-[75ch] text-ink-soft text-sm">{allowanceWords(data.allowance)}</p>
    </Bookings>
  );
}

function allowanceWords(allowance: Allowance | null): string {
  if (!allowance) return "Their current plan doesn’t include 1-on-1 coaching.";
  const { promise, left, extra, extraUntil, windowEndsAt, notBefore } = allowance;
  const returned = extra > 0 ? `, plus ${extra} returned until ${formatTimestamp(extraUntil ?? windowEndsAt)}` : "";
  const blocked = notBefore ? ` They can’t book again before ${formatTimestamp(notBefore)} because of a refund.` : "";
  return `Included: ${promiseWords(promise)}. Left until ${formatTimestamp(windowEndsAt)}: ${left}${returned}.${blocked}`;
}
