import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { endOtherSessions, endSession, type Session } from "#contract/identity/sessions.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { toast } from "#ui/toast/toast.ts";
import { sessionsQuery } from "./profile-queries.ts";

/** The user's sessions, with buttons to end other ones. */
export function SessionList() {
  const { user } = useCurrentUser();
  const { data: sessions, isPending, isFetching, refetch } = useQuery(sessionsQuery);
  return (
    <Card tone="raised">
      <section aria-labelledby="sessions-title" aria-busy={isPending}>
        <h2 id="sessions-title" className="font-bold text-heading">
          Security
        </h2>
        {user?.accountUrl && (
          <p className="mt-2">
            <a href={user.accountUrl} className="underline underline-offset-4">
              Change your email, password or second factor
            </a>
          </p>
        )}
        <p className="mt-2 text-ink-soft">
          These devices are signed in to your account. Sign out any device you don't recognize.
        </p>
        {sessions ? (
          <Sessions sessions={sessions} />
        ) : isPending ? (
          <PartLoading what="your devices" className="mt-4 h-20" />
        ) : (
          <PartFailed what="your devices" retry={refetch} isRetrying={isFetching} />
        )}
      </section>
    </Card>
  );
}

function Sessions({ sessions }: { sessions: readonly Session[] }) {
  const { end, endOthers } = useEnding();
  return (
    <>
      <ul className="mt-4 border-ink border-t-2">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-line border-b py-4 last:border-b-0 last:pb-0"
          >
            <div className="grid gap-1">
              <p className="font-bold">{placeOf(session)}</p>
              <p className="text-ink-soft text-sm">
                Signed in {formatDay(session.signedInAt)}
                {!session.isCurrent && <>, last seen {formatDay(session.lastSeenAt)}</>}
              </p>
            </div>
            {session.isCurrent ? (
              <Badge tone="success">This browser</Badge>
            ) : (
              <Button
                size="small"
                variant="outline"
                aria-label={`Sign out ${placeOf(session)}`}
                pending={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="outline" className="mt-5" pending={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}

function placeOf({ browser, system }: Session): string {
  return system ? `${browser} on ${system}` : browser;
}

function useEnding() {
  const queryClient = useQueryClient();
  const onSuccess = (left: Session[]) => {
    queryClient.setQueryData(sessionsQuery.queryKey, left);
    toast({ title: "Device signed out" });
  };
  const onError = (error: Error) => {
    toastFailure("Failed to sign out", error, "Try again in a moment.");
    void queryClient.invalidateQueries(sessionsQuery);
  };
  return {
    end: useMutation({ mutationFn: (id: string) => api(endSession, { params: { id } }), onSuccess, onError }),
    endOthers: useMutation({ mutationFn: () => api(endOtherSessions), onSuccess, onError }),
  };
}
