import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, type Params, useParams } from "react-router";
import { ApiError, api, isRefusal } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { SecondFactorRequired } from "#app/identity/second-factor.tsx";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import { type CoachBookingDetail, cancelAsCoach, joinAsCoach, markBooking } from "#contract/coaching/coach.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { formatWatchTime } from "#ui/format/durations.ts";
import { toast } from "#ui/toast/toast.ts";
import { JoinButton } from "../join-button.tsx";
import { coachBookingQuery, deskQuery, useShown } from "./coach-queries.ts";
import { ForCoaches } from "./desk.tsx";
import { stateWords } from "./state-words.ts";
import { Summary } from "./summary.tsx";

/** A session for its coach: the student's preparation and progress, the outcome, the summary. */
export default function CoachSessionPage() {
  const { id = "" } = useParams();
  const { user } = useCurrentUser();
  useSignInFirst(user === null);
  const { data, isPending, error, refetch, isFetching } = useQuery({
    ...coachBookingQuery(id),
    enabled: Boolean(user),
  });
  return (
    <StudentPage
      title="Session"
      description="One coaching session, for its coach."
      className="px-(--margin) pt-8 pb-20 sm:pt-12"
    >
      {data ? (
        <Session session={data} />
      ) : data === null ? (
        <ForCoaches />
      ) : user && isRefusal(error, "second-factor-required") ? (
        <SecondFactorRequired user={user} />
      ) : isPending ? (
        <StateCard level={1} tone="loading" title="Loading the session" />
      ) : error instanceof ApiError && [400, 404].includes(error.status) ? (
        <StateCard level={1} title="We couldn't find this session" actions={<BackToDay />}>
          <p>You don't have a session with a student at this address.</p>
        </StateCard>
      ) : (
        <LoadFailed title="The session didn't load" retry={refetch} isRetrying={isFetching} />
      )}
    </StudentPage>
  );
}

CoachSessionPage.queries = ({ id = "" }: Params) => [coachBookingQuery(id), deskQuery];

function BackToDay() {
  return (
    <Link to={href.coach()} className={buttonStyle({ variant: "outline" })}>
      Your day
    </Link>
  );
}

function Session({ session }: { session: CoachBookingDetail }) {
  const { data: desk } = useQuery(deskQuery);
  const zone = desk?.settings.timeZone ?? "UTC";
  const { id, studentName, startsAt, studentZone, state, prep, lesson, progress, sessionsBefore } = session;
  const isBooked = state === "booked";
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-8">
      <div className="flex flex-wrap items-end justify-between gap-5">
        <h1 className="wide text-title wrap-anywhere sm:text-display">Session with {studentName}</h1>
        <BackToDay />
      </div>
      <Card tone="raised" padding="large">
        <div className="grid gap-5">
          <div className="flex flex-wrap gap-2">
            <Badge tone={isBooked ? "tag" : "plain"}>{stateWords[state]}</Badge>
            {session.isOutsideHours && <Badge tone="danger">Outside hours</Badge>}
          </div>
          <p className="max-w-[60ch] text-lead">
            {timeForBoth(startsAt, zone, { name: studentName, timeZone: studentZone }, new Date())}
          </p>
          {isBooked && !session.mayMark && (
            <JoinButton
              what={`the session with ${studentName}`}
              mayJoin={session.mayJoin}
              opensAt={session.opensAt}
              zone={zone}
              join={() => api(joinAsCoach, { params: { id }, body: {} })}
            />
          )}
          {session.mayMark && <Mark session={session} />}
          {session.mayCancel && <Cancel session={session} />}
        </div>
      </Card>
      <div className="grid gap-8 lg:grid-cols-2">
        <section className="grid content-start gap-3">
          <h2 className="font-bold text-heading">What {studentName} wrote</h2>
          <p className={prep ? "whitespace-pre-line wrap-anywhere" : "text-ink-soft"}>
            {prep ?? "The student didn't add any notes."}
          </p>
          {lesson && <p className="text-sm">About the lesson “{lesson.title}”.</p>}
          <Questions questions={session.questions} />
        </section>
        <section className="grid content-start gap-3">
          <h2 className="font-bold text-heading">Progress</h2>
          <ul className="grid gap-1">
            <li>
              {progress.lessonsCompleted} of {progress.lessonsTotal} lessons completed,{" "}
              {formatWatchTime(progress.watchSeconds)} watched
            </li>
            {progress.lastLesson && <li>Last completed lesson: {progress.lastLesson}</li>}
            <li>
              {sessionsBefore === 0
                ? "No earlier sessions"
                : `${sessionsBefore} earlier ${sessionsBefore === 1 ? "session" : "sessions"}`}
            </li>
          </ul>
          {progress.begun.length > 0 && (
            <details>
              <summary className="cursor-pointer font-semibold underline underline-offset-4">Lesson by lesson</summary>
              <ul className="mt-2">
                {progress.begun.map((each) => (
                  <li key={each.id} className="flex justify-between gap-4 border-line border-b py-2 last:border-b-0">
                    <span className="min-w-0 wrap-anywhere">{each.title}</span>
                    <span className="text-right text-ink-soft">
                      {each.isCompleted ? "Completed" : `${Math.round(each.coverage * 100)}% watched`}
                      {checkWords(each)}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </section>
      </div>
      {session.maySummarize && <Summary session={session} />}
    </div>
  );
}

/** What the student asked under lessons and nobody has answered. */
function Questions({ questions }: Pick<CoachBookingDetail, "questions">) {
  if (questions.length === 0) return null;
  return (
    <>
      <h3 className="mt-2 font-bold">Open questions</h3>
      <ul className="grid gap-2 text-sm">
        {questions.map(({ id, title, lessonTitle }) => (
          <li key={id} className="wrap-anywhere">
            <Link to={`${href.coachQuestions()}?question=${id}`} className="underline underline-offset-4">
              {title}
            </Link>{" "}
            <span className="text-ink-soft">{lessonTitle}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function checkWords({ isCheckPassed }: CoachBookingDetail["progress"]["begun"][number]): string {
  if (isCheckPassed === null) return "";
  return isCheckPassed ? ", check passed" : ", check not passed";
}

function Mark({ session: { id } }: { session: CoachBookingDetail }) {
  const show = useShown(id);
  const mark = useMutation({
    mutationFn: (as: "held" | "missed-by-student" | "missed-by-coach") =>
      api(markBooking, { params: { id }, body: { as } }),
    onSuccess: (detail) => {
      show(detail);
      toast({ title: `Marked: ${stateWords[detail.state].toLowerCase()}` });
    },
    onError: (error) => toastFailure("Error", error, "We couldn't save this. Please try again."),
  });
  const button = (as: "held" | "missed-by-student" | "missed-by-coach", label: string) => (
    <Button
      variant={as === "held" ? "tag" : "outline"}
      pending={mark.isPending && mark.variables === as}
      disabled={mark.isPending && mark.variables !== as}
      onClick={() => mark.mutate(as)}
    >
      {label}
    </Button>
  );
  return (
    <div className="grid gap-3">
      <p>How did it go? If you don't choose within a day, we'll decide by who joined.</p>
      <div className="flex flex-wrap gap-3">
        {button("held", "We met")}
        {button("missed-by-student", "The student didn't attend")}
        {button("missed-by-coach", "I didn't attend")}
      </div>
    </div>
  );
}

function Cancel({ session: { id, studentName } }: { session: CoachBookingDetail }) {
  const [isAsking, setIsAsking] = useState(false);
  const show = useShown(id);
  const cancel = useMutation({
    mutationFn: () => api(cancelAsCoach, { params: { id }, body: {} }),
    onSuccess: (detail) => {
      show(detail);
      setIsAsking(false);
      toast({ title: "Session cancelled" });
    },
    onError: (error) => toastFailure("Error", error, "We couldn't cancel the session. Please try again."),
  });
  return (
    <div>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        I can't make it
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(open) => cancel.isPending || setIsAsking(open)}
        title={`Cancel the session with ${studentName}?`}
        description={`${studentName} gets this session back, plus an extra one. We'll email them.`}
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
    </div>
  );
}
