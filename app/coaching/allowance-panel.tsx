import type { Allowance } from "#contract/coaching/coaching.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import { Card } from "#ui/card.tsx";
import { useHasNoTimes } from "./coaching-queries.ts";

interface AllowancePanelProps {
  allowance: Allowance;
  hasBooking: boolean;
  zone: string;
}

/** The number of remaining sessions, their expiry, and where they come from. */
export function AllowancePanel({ allowance, hasBooking, zone }: AllowancePanelProps) {
  const { promise, left, extra, extraUntil, windowEndsAt, used, notBefore } = allowance;
  const total = left + extra;
  const hasNoTimes = useHasNoTimes(!hasBooking);
  const now = new Date();
  return (
    <Card tone="raised">
      <section aria-labelledby="allowance-title" className="grid gap-4">
        <h2 id="allowance-title" className="font-bold text-heading">
          Sessions left
        </h2>
        <p className="flex items-baseline gap-3">
          <span className="narrow text-price">{total}</span>
          <span className="text-ink-soft">
            {extra > 0
              ? `${left} from your plan, ${extra} returned`
              : promise.everyDays === 1
                ? `of ${promise.sessions} today`
                : `of ${promise.sessions} in this ${promise.everyDays}-day period`}
          </span>
        </p>
        <ul className="grid gap-2 border-line border-t pt-4 text-sm">
          {total > 0 && hasBooking && <li>You can book another one after your next session, or if you cancel it.</li>}
          {total > 0 && hasNoTimes && (
            <li className="font-bold">
              There are no free times in the next 30 days. New times appear here as soon as a coach adds them.
            </li>
          )}
          <li>Your plan includes {promiseWords(promise)}.</li>
          {used.length > 0 && (
            <li>
              Used:{" "}
              {used.map(({ startsAt, state }) => `${timeInZone(startsAt, zone, now)}, ${stateWords[state]}`).join("; ")}
              .
            </li>
          )}
          {left > 0 && (
            <li>
              Choose a session that starts before {timeInZone(windowEndsAt, zone, now)}. Unused sessions expire then.
            </li>
          )}
          <li>
            You can book {promise.sessions === 1 ? "again" : `${promise.sessions} more`} from{" "}
            {timeInZone(windowEndsAt, zone, now)}
            {total === 0 && hasNoTimes && ". Times appear here 30 days before"}.
          </li>
          {extraUntil && <li>Returned sessions expire on {timeInZone(extraUntil, zone, now)}.</li>}
          {notBefore && (
            <li>Because of your refund, you can't start a session before {timeInZone(notBefore, zone, now)}.</li>
          )}
        </ul>
      </section>
    </Card>
  );
}

const stateWords = {
  booked: "booked",
  cancelled: "cancelled late",
  held: "held",
  "missed-by-student": "missed",
  "missed-by-coach": "missed by us",
} as const;
