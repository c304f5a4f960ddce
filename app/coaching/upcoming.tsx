import type { ReactNode } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { href } from "#contract/addresses.ts";
import { type Booking, joinBooking, joinLive, type LiveSession } from "#contract/coaching/coaching.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { JoinButton } from "./join-button.tsx";

interface UpcomingProps {
  booking: Booking | null;
  /** The next group session that the student can join or has a seat in. */
  live: LiveSession | null;
  zone: string;
}

/** The sessions at the top of the page, the next one first. */
export function Upcoming({ booking, live, zone }: UpcomingProps) {
  return [booking, live]
    .filter((session) => session !== null)
    .sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
    .map((session) =>
      "title" in session ? (
        <Session
          key={session.id}
          session={session}
          title={session.title}
          badge={session.isComing && <Badge tone="success">You have a seat</Badge>}
          zone={zone}
          join={() => api(joinLive, { params: { id: session.id }, body: {} })}
        >
          <a href={`#live-${session.id}`} className={changeStyle}>
            See your seat and question
          </a>
        </Session>
      ) : (
        <Session
          key={session.id}
          session={session}
          title={`Your session with ${session.coach.name}`}
          badge={<Badge tone="tag">Booked</Badge>}
          zone={zone}
          join={() => api(joinBooking, { params: { id: session.id }, body: {} })}
        >
          <Link to={href.coachingSession(session.id)} className={changeStyle}>
            Move, cancel or add to calendar
          </Link>
        </Session>
      ),
    );
}

const changeStyle = buttonStyle({ variant: "outline", className: "shrink! whitespace-normal text-center" });

interface SessionProps {
  session: Booking | LiveSession;
  title: string;
  badge: ReactNode;
  zone: string;
  join: () => Promise<{ meetingUrl: string }>;
  /** The link to what can be changed. */
  children: ReactNode;
}

function Session({ session, title, badge, zone, join, children }: SessionProps) {
  const { id, coach, startsAt, mayJoin, opensAt } = session;
  return (
    <Card tone="kraft" padding="large">
      <section aria-labelledby={`next-${id}`} className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id={`next-${id}`} className="wide wrap-anywhere text-title">
            {title}
          </h2>
          {badge}
        </div>
        <p className="max-w-[52ch] text-lead">
          {timeForBoth(startsAt, zone, { name: coach.name, timeZone: coach.timeZone }, new Date())}
        </p>
        <div className="flex flex-wrap items-center gap-4">
          <JoinButton what={title} {...{ mayJoin, opensAt, zone }} join={join} />
          {children}
        </div>
      </section>
    </Card>
  );
}
