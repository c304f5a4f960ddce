import { usePrefetchQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { playerChoicesQuery } from "#app/access/player-choices.ts";
import { purchasesQuery } from "#app/access/purchases-query.ts";
import { currentUserQuery, useCurrentUser, useIsSeen } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { StudentHeading, StudentOutline } from "#app/identity/student-heading.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { AnnouncementChoice } from "./announcement-choice.tsx";
import { MyData } from "./my-data/my-data.tsx";
import { PlayerChoice } from "./player-choice.tsx";
import { ProfileDetails } from "./profile-details.tsx";
import { ProfileForm, useTypedProfile } from "./profile-form.tsx";
import { announcementChoiceQuery, sessionsQuery } from "./profile-queries.ts";
import { PlanCard } from "./purchases/plan-card.tsx";
import { PurchaseList } from "./purchases/purchase-list.tsx";
import { SessionList } from "./session-list.tsx";

/** The signed-in user's profile, of which the user can edit five fields. */
export default function Profile() {
  // This page retries once. The navigation bar mounts first and would otherwise fetch without a retry.
  usePrefetchQuery({ ...currentUserQuery, retry: 1 });
  const { user, isPending } = useCurrentUser();
  const queryClient = useQueryClient();
  const [isDeleted, setIsDeleted] = useState(false);

  function sayFarewell(): void {
    setIsDeleted(true);
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentUserQuery.queryKey[0] });
  }

  return (
    <StudentPage title="My Profile" description="Your contact details, your plan, and everything you've bought.">
      {user ? (
        <SignedIn user={user} onDeleted={sayFarewell} />
      ) : isPending ? (
        <StudentOutline page="profile" />
      ) : (
        <div className="px-(--margin) pt-8">
          {isDeleted ? (
            <Farewell />
          ) : user === null ? (
            <SignedOut returnTo={href.profile()}>Sign in to see your profile.</SignedOut>
          ) : (
            <LoadFailed title="Your profile didn't load" />
          )}
        </div>
      )}
    </StudentPage>
  );
}

Profile.queries = () => [courseAccessQuery, purchasesQuery, sessionsQuery, announcementChoiceQuery, playerChoicesQuery];

function SignedIn({ user, onDeleted }: { user: CurrentUser; onDeleted: () => void }) {
  const typed = useTypedProfile(user);
  const isSeen = useIsSeen();
  const [mode, setMode] = useState<"view" | "kept" | "edit" | "edited">(typed.isChanged ? "kept" : "view");
  return (
    // In one column the plan comes after the profile. With two columns it has its own.
    <div className="page-grid items-start gap-y-8 lg:grid-rows-[auto_auto_1fr]">
      <StudentHeading page="profile" />
      <Card tone="raised" className="col-span-full lg:col-span-7">
        {mode === "edit" || mode === "kept" ? (
          <ProfileForm email={user.email} typed={typed} isAsked={mode === "edit"} onDone={() => setMode("edited")} />
        ) : (
          <ProfileDetails user={user} isEdited={mode === "edited"} onEdit={() => setMode("edit")} />
        )}
      </Card>
      <div className="col-span-full grid gap-8 lg:col-span-5 lg:row-span-2">
        <PlanCard />
        <PurchaseList />
      </div>
      <div className="col-span-full grid gap-8 lg:col-span-7">
        {!isSeen && <SessionList />}
        <AnnouncementChoice />
        <PlayerChoice />
        {isSeen ? <OnlyStudent /> : <MyData email={user.email} onDeleted={onDeleted} />}
      </div>
    </div>
  );
}

function OnlyStudent() {
  return (
    <Card tone="raised">
      <p className="text-ink-soft">
        Only the student can see their devices, export their data and delete their account.
      </p>
    </Card>
  );
}

function Farewell() {
  return (
    <StateCard
      level={1}
      title="Your account is deleted"
      actions={
        <a href={href.home()} className={buttonStyle()}>
          Go to Home
        </a>
      }
    >
      <p>
        We've erased your profile, progress and sign-in, and nothing renews. We'll send one last email to confirm it.
      </p>
    </StateCard>
  );
}
