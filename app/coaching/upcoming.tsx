import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { href } from "#contract/addresses.ts";
import { type Booking, joinBooking } from "#contract/coaching/coaching.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { JoinButton } from "./join-button.tsx";

/** The booked session, at the top of the page. */
export function Upcoming({ booking, zone }: { booking: Booking; zone: string }) {
  const { id, coach, startsAt, mayJoin, opensAt } = booking;
  return (
    <Card tone="kraft" padding="large">
      <section aria-labelledby="upcoming-title" className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="upcoming-title" className="wide text-title">
            Your session with {coach.name}
          </h2>
          <Badge tone="tag">Booked</Badge>
        </div>
        <p className="max-w-[52ch] text-lead">
          {timeForBoth(startsAt, zone, { name: coach.name, timeZone: coach.timeZone }, new Date())}
        </p>
        <div className="flex flex-wrap items-center gap-4">
          <JoinButton
            what={`your session with ${coach.name}`}
            {...{ mayJoin, opensAt, zone }}
            join={() => api(joinBooking, { params: { id }, body: {} })}
          />
          <Link
            to={href.coachingSession(id)}
            className={buttonStyle({ variant: "outline", className: "shrink! whitespace-normal text-center" })}
          >
            Move, cancel or add to calendar
          </Link>
        </div>
      </section>
    </Card>
  );
}
