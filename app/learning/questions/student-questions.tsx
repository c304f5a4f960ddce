import type { ReactNode } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { StudentHeading, StudentOutline } from "#app/identity/student-heading.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";

/** The frame of the pages of questions. */
export function StudentQuestions({ returnTo, children }: { returnTo: string; children: ReactNode }) {
  const { user, isPending } = useCurrentUser();
  return (
    <StudentPage title="Questions" description="What students asked about the lessons, and what was answered.">
      {user ? (
        <div className="page-grid gap-y-8">
          <StudentHeading page="questions" />
          <div className="col-span-full grid min-w-0 gap-6 lg:col-span-9">{children}</div>
        </div>
      ) : isPending ? (
        <StudentOutline page="questions" />
      ) : (
        <div className="px-(--margin) pt-8">
          {user === null ? (
            <SignedOut returnTo={returnTo}>Sign in to read questions and answers.</SignedOut>
          ) : (
            <LoadFailed title="The questions did not load" />
          )}
        </div>
      )}
    </StudentPage>
  );
}
