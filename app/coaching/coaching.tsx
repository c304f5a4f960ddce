import { useQuery } from "@tanstack/react-query";
import AccountBlocked from "#app/access/account-blocked.tsx";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { UpgradePanel } from "#app/access/upgrade-panel.tsx";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { StudentHeading, StudentOutline } from "#app/identity/student-heading.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import type { CoachingOverview } from "#contract/coaching/coaching.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { tierOpens } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { AllowancePanel } from "./allowance-panel.tsx";
import { BookingSection, BookSession } from "./book-session.tsx";
import { CalendarPanel } from "./calendar-panel.tsx";
import { browserZone, coachingQuery } from "./coaching-queries.ts";
import { GroupSessions } from "./group-sessions.tsx";
import { PastSessions } from "./past-sessions.tsx";
import { TimeZoneChoice } from "./time-zone-choice.tsx";
import { Upcoming } from "./upcoming.tsx";

/** The coaching page: group sessions, 1-on-1 sessions, and how many are left. */
export default function CoachingPage() {
  const { user, isPending } = useCurrentUser();
  return (
    <StudentPage title="Coaching" description="Group sessions to join, and 1-on-1 sessions to book with a coach.">
      {user ? (
        <SignedIn />
      ) : isPending ? (
        <StudentOutline page="coaching" />
      ) : (
        <div className="px-(--margin) pt-8">
          {user === null ? (
            <SignedOut
              returnTo={href.coaching()}
              action={
                <a href={href.pricing()} className={buttonStyle({ variant: "outline" })}>
                  See the plans
                </a>
              }
            >
              Sign in to see your coaching.
            </SignedOut>
          ) : (
            <LoadFailed title="Your coaching didn't load" />
          )}
        </div>
      )}
    </StudentPage>
  );
}

CoachingPage.queries = () => [coachingQuery];

function SignedIn() {
  const { data: overview, isPending, isFetching, refetch } = useQuery(coachingQuery);
  if (isPending) return <StudentOutline page="coaching" />;
  if (!overview) {
    return (
      <div className="px-(--margin) pt-8">
        <LoadFailed title="Your coaching didn't load" isRetrying={isFetching} retry={refetch} />
      </div>
    );
  }
  return overview.isBlocked ? <Blocked /> : <Coaching overview={overview} />;
}

function Coaching({ overview }: { overview: CoachingOverview }) {
  const ownZone = overview.timeZone ?? browserZone();
  const zone = knownZone(ownZone);
  const { allowance, upcoming, past, live, recorded, oneOnOneTier } = overview;
  const hasNoPlan = overview.tier === null;
  const hasGroups = tierOpens(overview.tier, overview.liveTier);
  const nextLive = live.find(({ isUnlocked, isComing, mayJoin }) => isUnlocked && (isComing || mayJoin)) ?? null;
  return (
    <div className="page-grid items-start gap-y-12">
      <StudentHeading page="coaching" />
      <div className="col-span-full grid min-w-0 gap-12 lg:col-span-8">
        <Upcoming booking={upcoming} live={nextLive} zone={zone} />
        {allowance && !upcoming && <BookSession zone={zone} />}
        {hasNoPlan ? (
          <NoPlan />
        ) : (
          <GroupSessions
            live={live}
            recorded={recorded}
            lastLiveAt={overview.lastLiveAt}
            liveTier={overview.liveTier}
            isUnlocked={hasGroups}
            joinedAbove={nextLive?.id}
            zone={zone}
          />
        )}
        {!hasNoPlan && !allowance && oneOnOneTier && (
          <BookingSection>
            <UpgradePanel tier={oneOnOneTier} what="1-on-1 coaching" />
          </BookingSection>
        )}
      </div>
      <aside className="col-span-full grid gap-6 lg:col-span-4">
        {allowance && <AllowancePanel allowance={allowance} hasBooking={upcoming !== null} zone={zone} />}
        {!hasNoPlan && <TimeZoneChoice zone={zone} isGuessed={zone !== ownZone} />}
        {(allowance || hasGroups) && <CalendarPanel since={overview.calendarSince} />}
      </aside>
      {past.length > 0 && <PastSessions past={past} zone={zone} />}
    </div>
  );
}

function NoPlan() {
  return (
    <section aria-labelledby="no-plan-title" className="grid gap-4 rounded-md bg-kraft-soft p-6 sm:p-8">
      <h2 id="no-plan-title" className="wide text-title">
        A coach who looks at your numbers
      </h2>
      <p className="max-w-[62ch]">
        {planName("premium")} includes group sessions. {planName("vip")} adds 1-on-1 sessions that you book yourself.
      </p>
      <p>
        <a href={href.pricing()} className={buttonStyle({ variant: "tag" })}>
          See the plans
        </a>
      </p>
    </section>
  );
}

function Blocked() {
  const { data: access } = useQuery(courseAccessQuery);
  return (
    <div className="px-(--margin) pt-8">
      {access ? <AccountBlocked access={access} /> : <StudentOutline page="coaching" />}
    </div>
  );
}
