import { Link } from "react-router";
import { ForCoaches } from "#app/coaching/coach/desk.tsx";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SecondFactorRequired } from "#app/identity/second-factor.tsx";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { QuestionQueue } from "./question-queue.tsx";

/** The questions of students for coaches, who have no administration. */
export default function CoachQuestionsPage() {
  const { user } = useCurrentUser();
  useSignInFirst(user === null);
  return (
    <StudentPage title="Students’ questions" description="What students asked under the lessons, for coaches.">
      <div className="mx-auto w-full max-w-5xl px-(--margin)">
        {user?.needsSecondFactor ? (
          <SecondFactorRequired user={user} />
        ) : user?.isCoach ? (
          <>
            <div className="mb-7 flex flex-wrap items-end justify-between gap-5">
              <h1 className="wide text-title">Students’ questions</h1>
              <Link to={href.coach()} className={buttonStyle({ variant: "outline" })}>
                Your day
              </Link>
            </div>
            <QuestionQueue />
          </>
        ) : user ? (
          <ForCoaches />
        ) : (
          <StateCard level={1} tone="loading" title="Loading the questions" />
        )}
      </div>
    </StudentPage>
  );
}
