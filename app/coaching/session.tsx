import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, type Params, useParams } from "react-router";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { ApiError, api, isRefusal, messageOf, saveFile } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import {
  type Booking,
  cancelBooking,
  getBookingCalendar,
  joinBooking,
  moveBooking,
} from "#contract/coaching/coaching.ts";
import { knownZone, timeForBoth, timeInZone } from "#contract/coaching/times.ts";
import { Card } from "#ui/card.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { toast } from "#ui/toast/toast.ts";
import { TimeForm } from "./book-session.tsx";
import { bookingWords } from "./booking-words.ts";
import { bookingQuery, browserZone, coachingQuery, useRefreshCoaching } from "./coaching-queries.ts";
import { Contest } from "./contest.tsx";
import { JoinButton } from "./join-button.tsx";

/** A session's page: its time, joining, rescheduling, cancelling, the calendar file, and later the summary. */
export default function SessionPage() {
  const { id = "" } = useParams();
  const { user } = useCurrentUser();
  useSignInFirst(user === null);
  const {
    data: booking,
    isPending,
    error,
    refetch,
    isFetching,
  } = useQuery({
    ...bookingQuery(id),
    enabled: Boolean(user),
  });
  return (
    <StudentPage
      title="Coaching session"
      description="One coaching session: when it is, how to join, and the coach's summary."
      className="px-(--margin) pt-8 pb-20 sm:pt-12"
    >
      {booking ? (
        <Session booking={booking} />
      ) : isPending ? (
        <StateCard level={1} tone="loading" title="Loading your session" />
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <StateCard level={1} title="We couldn't find this session" actions={<BackToCoaching />}>
          <p>You don't have a session at this address.</p>
        </StateCard>
      ) : isRefusal(error, "not-allowed") ? (
        <StateCard level={1} tone="held" title="Only the student can open this" actions={<BackToCoaching />}>
          <p>What a student prepares for a session is between them and their coach.</p>
        </StateCard>
      ) : (
        <LoadFailed title="Your session didn't load" retry={refetch} isRetrying={isFetching} />
      )}
    </StudentPage>
  );
}

SessionPage.queries = ({ id = "" }: Params) => [bookingQuery(id), coachingQuery];

function BackToCoaching() {
  return (
    <Link to={href.coaching()} className={buttonStyle({ variant: "outline" })}>
      All of your coaching
    </Link>
  );
}

function Session({ booking }: { booking: Booking }) {
  const { data: overview } = useQuery(coachingQuery);
  const zone = knownZone(overview?.timeZone ?? browserZone());
  const [isMoving, setIsMoving] = useState(false);
  const { coach, startsAt, state, prep, lessonId, summary } = booking;
  const isBooked = state === "booked";
  const { status, focusWhenChanged } = useFocusOnChange(`${state} ${startsAt}`);
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8">
      <div className="flex flex-wrap items-end justify-between gap-5">
        <h1 className="wide text-title sm:text-display">Session with {coach.name}</h1>
        <BackToCoaching />
      </div>
      <Card tone="raised" padding="large">
        <div className="grid gap-6">
          <p className="max-w-[60ch] text-lead">
            {timeForBoth(startsAt, zone, { name: coach.name, timeZone: coach.timeZone }, new Date())}
          </p>
          <p ref={status} role="status" tabIndex={-1} className="font-semibold outline-none">
            {isBooked
              ? `Booked for ${timeInZone(startsAt, zone, new Date())}. It uses one of your sessions.`
              : bookingWords(booking)}
          </p>
          {isBooked && (
            <Actions
              booking={booking}
              zone={zone}
              isMoving={isMoving}
              onMove={() => setIsMoving(!isMoving)}
              onCancelled={focusWhenChanged}
            />
          )}
          {booking.contestedAt && (
            <p className="max-w-[60ch] text-ink-soft">
              You wrote to us about it on {timeInZone(booking.contestedAt, zone, new Date())}. We'll reply by email.
            </p>
          )}
          {!isBooked && booking.mayContest && <Contest booking={booking} />}
        </div>
      </Card>
      {isBooked && isMoving && (
        <Move
          booking={booking}
          zone={zone}
          onDone={() => {
            focusWhenChanged();
            setIsMoving(false);
          }}
        />
      )}
      <div className="grid gap-8 lg:grid-cols-2">
        <Words title="What you wrote" text={prep} none="You didn't add any notes.">
          {lessonId && <LessonOf id={lessonId} />}
        </Words>
        {state === "held" && (
          <Words
            title={`${coach.name}’s summary`}
            text={summary}
            none="There's no summary yet. We'll email you when there is one."
          />
        )}
      </div>
    </div>
  );
}

/** Moves the focus to the session's new state, because the button that changed it disappears. */
function useFocusOnChange(is: string) {
  const status = useRef<HTMLParagraphElement>(null);
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (before.current === null || before.current === is) return;
    before.current = null;
    status.current?.focus();
  }, [is]);
  return {
    status,
    focusWhenChanged() {
      before.current = is;
    },
  };
}

/** Needs the catalogue, because a booking stores only the lesson's id. */
function LessonOf({ id }: { id: string }) {
  const { data: modules } = useQuery(catalogueQuery);
  const lesson = modules?.flatMap(({ lessons }) => lessons).find((each) => each.id === id);
  return lesson ? <p className="text-sm">About the lesson “{lesson.title}”.</p> : null;
}

interface WordsProps {
  title: string;
  text: string | null;
  /** Shown without a text. */
  none: string;
  children?: ReactNode;
}

function Words({ title, text, none, children }: WordsProps) {
  return (
    <section className="grid content-start gap-3">
      <h2 className="font-bold text-heading">{title}</h2>
      <p className={text ? "max-w-[65ch] whitespace-pre-line wrap-anywhere" : "text-ink-soft"}>{text ?? none}</p>
      {children}
    </section>
  );
}

interface ActionsProps {
  booking: Booking;
  zone: string;
  isMoving: boolean;
  onMove: () => void;
  onCancelled: () => void;
}

function Actions({ booking, zone, isMoving, onMove, onCancelled }: ActionsProps) {
  const { id, coach, mayJoin, opensAt, mayMove, mayCancel, movesLeft, freeUntil } = booking;
  return (
    <>
      <JoinButton
        what={`your session with ${coach.name}`}
        {...{ mayJoin, opensAt, zone }}
        join={() => api(joinBooking, { params: { id }, body: {} })}
      />
      <div className="flex flex-wrap gap-3">
        {mayMove && (
          <Button variant="outline" aria-expanded={isMoving} onClick={onMove}>
            Move session
          </Button>
        )}
        {mayCancel && <Cancel booking={booking} zone={zone} onCancelled={onCancelled} />}
      </div>
      <p className="max-w-[62ch] text-ink-soft text-sm">
        {mayMove
          ? `You can move it ${movesLeft === 1 ? "once more" : "twice"}, or cancel it at no cost, until ${timeInZone(freeUntil, zone, new Date())}.`
          : "You can't move it anymore. You can move a session twice, until 24 hours before it starts."}
      </p>
      <p className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <span>Add it to:</span>
        <a href={booking.googleUrl} target="_blank" rel="noreferrer" className="underline underline-offset-4">
          Google Calendar
        </a>
        <a href={booking.outlookUrl} target="_blank" rel="noreferrer" className="underline underline-offset-4">
          Outlook
        </a>
        <button
          type="button"
          className="underline underline-offset-4"
          onClick={() =>
            saveFile(getBookingCalendar.path.replace("{id}", encodeURIComponent(id))).catch((error: unknown) =>
              toastFailure("Download failed", error, "We couldn't download the file. Please try again."),
            )
          }
        >
          Another calendar (.ics)
        </button>
      </p>
    </>
  );
}

function Cancel({ booking, zone, onCancelled }: { booking: Booking; zone: string; onCancelled: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const refresh = useRefreshCoaching();
  const cancel = useMutation({
    mutationFn: () => api(cancelBooking, { params: { id: booking.id }, body: {} }),
    onSuccess: (cancelled) => {
      toast({ title: "Session cancelled", description: bookingWords(cancelled) });
      onCancelled();
      refresh();
      setIsAsking(false);
    },
    onError: (error) => toastFailure("Error", error, "We couldn't cancel the session. Please try again."),
  });
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        Cancel session
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(open) => cancel.isPending || setIsAsking(open)}
        title="Cancel this session?"
        description={`${timeInZone(booking.startsAt, zone, new Date())}. ${costWords[booking.costOfCancelling]}`}
      >
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <Button variant="outline" disabled={cancel.isPending} onClick={() => setIsAsking(false)}>
            Keep session
          </Button>
          <Button variant="danger" pending={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel session
          </Button>
        </div>
      </Dialog>
    </>
  );
}

const costWords = {
  nothing: "It's free to cancel now, and you can book another session instead.",
  forgiven: "It starts in less than 24 hours. It's your first late cancellation in a year, so it doesn't count.",
  counts: "It starts in less than 24 hours, so it counts as used.",
} as const;

function Move({ booking, zone, onDone }: { booking: Booking; zone: string; onDone: () => void }) {
  const refresh = useRefreshCoaching();
  const move = useMutation({
    mutationFn: (slot: { coachId: string; startsAt: string }) =>
      api(moveBooking, {
        params: { id: booking.id },
        body: { coachId: slot.coachId, startsAt: slot.startsAt, timeZone: zone },
      }),
    onSuccess: ({ startsAt }) => {
      toast({
        title: `Moved to ${timeInZone(startsAt, zone, new Date())}`,
        description: "We're emailing you a new calendar entry.",
      });
      refresh();
      onDone();
    },
    onError: refresh,
  });
  return (
    <section aria-labelledby="move-title" className="grid gap-5">
      <h2 id="move-title" className="wide text-title">
        Choose a new time
      </h2>
      <TimeForm
        zone={zone}
        label="Move the session"
        noTimes="There are no other free times in the next 30 days."
        isPending={move.isPending}
        failure={move.error && messageOf(move.error, "We couldn't move the session. Please try again.")}
        onSubmit={(slot) => move.mutateAsync(slot)}
      />
    </section>
  );
}
