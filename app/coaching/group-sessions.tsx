import { useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { UpgradePanel } from "#app/access/upgrade-panel.tsx";
import { api, messageOf } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { giveSeatUp, joinLive, type LiveSession, takeSeat } from "#contract/coaching/coaching.ts";
import { dayInZone, timeForBoth, timeInZone } from "#contract/coaching/times.ts";
import type { Tier } from "#contract/tiers.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { formatCountOf } from "#ui/format/numbers.ts";
import { toast } from "#ui/toast/toast.ts";
import { recordingQuery, useRefreshCoaching } from "./coaching-queries.ts";
import { JoinButton } from "./join-button.tsx";

/** Recordings do not count as progress. */
const ignore = () => {};
const ignoredEvents = {
  onPlay: ignore,
  onPause: ignore,
  onTimeUpdate: ignore,
  onSeeking: ignore,
  onSeeked: ignore,
  onEnded: ignore,
  onError: ignore,
};

const [Player] = late("the player", () => import("#ui/player/player.tsx"));

interface GroupSessionsProps {
  live: readonly LiveSession[];
  recorded: readonly LiveSession[];
  lastLiveAt: string | null;
  liveTier: Tier;
  isUnlocked: boolean;
  /** The session whose join button is at the top of the page. */
  joinedAbove: string | undefined;
  zone: string;
}

/** Upcoming dates with a seat to take, and recordings of past ones. */
export function GroupSessions(props: GroupSessionsProps) {
  const { live, recorded, lastLiveAt, liveTier, isUnlocked, joinedAbove, zone } = props;
  return (
    <section aria-labelledby="group-title" className="grid gap-5">
      <h2 id="group-title" className="wide text-title">
        Group sessions
      </h2>
      {!isUnlocked && <UpgradePanel tier={liveTier} what="Joining a group session" />}
      {live.length === 0 ? (
        <p className="max-w-[62ch] border-line border-y py-6">
          No group session is scheduled yet.{lastLiveAt && ` The last one was on ${dayInZone(lastLiveAt, zone)}.`}
          {isUnlocked && " We'll email you when the next one is scheduled."}
        </p>
      ) : (
        <ul className="grid gap-5">
          {live.map((session) => (
            <li key={session.id}>
              <Coming session={session} isJoinedAbove={session.id === joinedAbove} zone={zone} />
            </li>
          ))}
        </ul>
      )}
      {recorded.length > 0 && (
        <div className="grid gap-3">
          <h3 className="font-bold text-heading">Past</h3>
          <ul className="border-line border-t">
            {recorded.map((session) => (
              <li key={session.id} className="border-line border-b py-4">
                <Over session={session} zone={zone} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Coming({ session, isJoinedAbove, zone }: { session: LiveSession; isJoinedAbove: boolean; zone: string }) {
  const { id, title, about, coach, startsAt, isUnlocked, isComing, seatsLeft, mayJoin, opensAt } = session;
  return (
    <article
      aria-labelledby={`live-${id}`}
      className="grid gap-4 rounded-md border-[1.5px] border-line-strong bg-surface p-5 sm:p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id={`live-${id}`} className="wide scroll-mt-24 text-heading wrap-anywhere">
          {title}
        </h3>
        {isComing ? (
          <Badge tone="success">You have a seat</Badge>
        ) : (
          isUnlocked &&
          seatsLeft !== null && (
            <Badge tone="plain">{seatsLeft === 0 ? "Full" : `${formatCountOf(seatsLeft, "seat")} left`}</Badge>
          )
        )}
      </div>
      <p className="font-semibold">
        {timeForBoth(startsAt, zone, { name: coach.name, timeZone: coach.timeZone }, new Date())}
      </p>
      <p className="max-w-[62ch] wrap-anywhere">{about}</p>
      {session.maySit && <Seat session={session} />}
      {isUnlocked && !isJoinedAbove && (isComing || mayJoin) && (
        <JoinButton
          what={title}
          {...{ mayJoin, opensAt, zone }}
          join={() => api(joinLive, { params: { id }, body: {} })}
        />
      )}
    </article>
  );
}

function Seat({ session: { id, title, isComing, question } }: { session: LiveSession }) {
  const [typed, setTyped] = useResumable(`question ${id}`, question ?? "");
  const refresh = useRefreshCoaching();
  const onError = (error: unknown) => toastFailure("Error", error, "That didn't work. Please try again.");
  const { frame, faults, isSending } = useForm({
    async send() {
      await api(takeSeat, { params: { id }, body: { question: typed.trim() } });
      refresh();
      toast({ title: isComing ? "Question saved" : `You have a seat: ${title}` });
    },
    onFailed: onError,
  });
  const giveUp = useMutation({
    mutationFn: () => api(giveSeatUp, { params: { id } }),
    onSuccess: () => {
      refresh();
      toast({ title: "You gave up your seat" });
    },
    onError,
  });
  return (
    <form {...frame} className="grid gap-4">
      <Field
        label="A question for the session (optional)"
        name="question"
        hint="The coach sees it without your name."
        error={faults.question}
      >
        <Textarea rows={2} maxLength={300} value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={isComing ? "outline" : "tag"} pending={isSending}>
          {isComing ? "Save question" : "Take a seat"}
        </Button>
        {isComing && (
          <Button variant="quiet" pending={giveUp.isPending} onClick={() => giveUp.mutate()}>
            Give up my seat
          </Button>
        )}
      </div>
    </form>
  );
}

function Over({ session, zone }: { session: LiveSession; zone: string }) {
  const { id, title, startsAt, hasRecording, isUnlocked } = session;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          <strong className="block wrap-anywhere">{title}</strong>
          <span className="text-ink-soft text-sm">{timeInZone(startsAt, zone, new Date())}</span>
        </p>
        {hasRecording && isUnlocked ? (
          <Button
            variant="outline"
            size="small"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? "Close" : "Watch"} the recording of ${title}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Close" : "Watch the recording"}
          </Button>
        ) : (
          <span className="text-ink-soft text-sm">{hasRecording ? "Recorded" : "No recording yet"}</span>
        )}
      </div>
      {isOpen && <Recording id={id} title={title} />}
    </div>
  );
}

function Recording({ id, title }: { id: string; title: string }) {
  const { data, error } = useQuery(recordingQuery(id));
  if (error) {
    return (
      <p role="alert" className="text-danger">
        {messageOf(error, "We couldn't load the recording. Please try again.")}
      </p>
    );
  }
  if (!data) return <Skeleton className="aspect-video w-full" />;
  return (
    <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
      <Player
        label={`Recording: ${title}`}
        kind={data.kind}
        src={data.url}
        poster={data.posterUrl}
        captions={data.captions}
        position={{ at: 0, isPlaying: false }}
        {...ignoredEvents}
      />
    </Suspense>
  );
}
