import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, isRefusal } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SecondFactorRequired } from "#app/identity/second-factor.tsx";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import { countAdminQuestions } from "#contract/admin/questions.ts";
import { type CoachBooking, type CoachDesk, joinAsCoach } from "#contract/coaching/coach.ts";
import { dayInZone, timeForBoth } from "#contract/coaching/times.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { JoinButton } from "../join-button.tsx";
import { deskQuery } from "./coach-queries.ts";
import { LiveSessions } from "./live-sessions.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { stateWords } from "./state-words.ts";

/** The coach's day: sessions, marks that are due, hours and days off. */
export default function CoachPage() {
  const { user } = useCurrentUser();
  useSignInFirst(user === null);
  const { data: desk, isPending, error, refetch, isFetching } = useQuery({ ...deskQuery, enabled: Boolean(user) });
  return (
    <StudentPage title="Your day as a coach" description="Sessions, hours and days off, for coaches.">
      {desk ? (
        <Desk desk={desk} />
      ) : (
        <div className="px-(--margin) pt-8">
          {desk === null ? (
            <ForCoaches />
          ) : user && isRefusal(error, "second-factor-required") ? (
            <SecondFactorRequired user={user} />
          ) : isPending ? (
            <StateCard level={1} tone="loading" title="Loading your day" />
          ) : (
            <LoadFailed title="Your day didn't load" retry={refetch} isRetrying={isFetching} />
          )}
        </div>
      )}
    </StudentPage>
  );
}

CoachPage.queries = () => [deskQuery];

/** Shown to everybody else on the coach's pages. */
export function ForCoaches() {
  return (
    <StateCard
      level={1}
      title="For coaches"
      actions={
        <Link to={href.coaching()} className={buttonStyle({ variant: "outline" })}>
          Your coaching
        </Link>
      }
    >
      <p>This page is for coaches. If you coach here, ask an administrator to give you the role.</p>
    </StateCard>
  );
}

function Desk({ desk }: { desk: CoachDesk }) {
  const { upcoming, past, live, hasRoom, isActive } = desk;
  const zone = desk.settings.timeZone;
  const toMark = past.filter(({ mayMark }) => mayMark);
  const marked = past.filter(({ mayMark }) => !mayMark);
  return (
    <div className="page-grid items-start gap-y-10">
      <div className="col-span-full flex flex-wrap items-end justify-between gap-5">
        <h1 className="wide text-display">Your day</h1>
        <div className="flex flex-wrap gap-3">
          {isActive && <QuestionsLink />}
          <Link to={href.coaching()} className={buttonStyle({ variant: "outline" })}>
            Coaching as a student
          </Link>
        </div>
      </div>
      <div className="col-span-full grid gap-8 lg:col-span-6">
        {!hasRoom && (
          <p role="alert" className="rounded-sm bg-danger-soft px-5 py-4 text-danger">
            Nobody can join your sessions yet. Add the address of your meeting room under “Your hours”.
          </p>
        )}
        {!isActive && (
          <p className="rounded-sm bg-sunken px-5 py-4">
            Students can't book new sessions with you right now. Sessions that are already booked don't change.
          </p>
        )}
        {toMark.length > 0 && <Sessions title="How did these go?" sessions={toMark} zone={zone} empty="" />}
        <Sessions title="Upcoming" sessions={upcoming} zone={zone} empty="Nobody has booked a session yet." />
        <LiveSessions live={live} zone={zone} />
        {marked.length > 0 && <Sessions title="Past" sessions={marked} zone={zone} empty="" />}
      </div>
      <div className="col-span-full lg:col-span-6">
        <SettingsForm desk={desk} />
      </div>
    </div>
  );
}

function QuestionsLink() {
  const { data } = useQuery(queryOf(countAdminQuestions, { query: {} }));
  return (
    <Link to={href.coachQuestions()} className={buttonStyle({ variant: "outline" })}>
      Students’ questions{data && data.unanswered > 0 && ` (${formatCount(data.unanswered)})`}
    </Link>
  );
}

interface SessionsProps {
  title: string;
  sessions: readonly CoachBooking[];
  zone: string;
  empty: string;
}

function Sessions({ title, sessions, zone, empty }: SessionsProps) {
  return (
    <section className="grid gap-4">
      <h2 className="wide text-title">{title}</h2>
      {sessions.length === 0 && <p className="border-line border-y py-6">{empty}</p>}
      <ul className="border-line border-t empty:hidden">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-4 border-line border-b py-4">
            <div className="min-w-0">
              <Link to={href.coachSession(session.id)} className="font-bold underline underline-offset-4 wrap-anywhere">
                {session.studentName}, {dayInZone(session.startsAt, zone)}
              </Link>
              <p className="text-ink-soft text-sm">
                {timeForBoth(
                  session.startsAt,
                  zone,
                  { name: session.studentName, timeZone: session.studentZone },
                  new Date(),
                )}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-2">
              {session.isOutsideHours && <Badge tone="danger">Outside hours</Badge>}
              {session.hasPrep && session.state === "booked" && <Badge tone="kraft">Prepared</Badge>}
              {session.state !== "booked" && <Badge>{stateWords[session.state]}</Badge>}
              {session.state === "held" && !session.hasSummary && <Badge tone="tag">No summary</Badge>}
              {session.mayJoin && (
                <JoinButton
                  what={`the session with ${session.studentName}`}
                  mayJoin
                  opensAt={session.startsAt}
                  zone={zone}
                  join={() => api(joinAsCoach, { params: { id: session.id }, body: {} })}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
