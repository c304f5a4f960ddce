import { useState } from "react";
import { useForm } from "#app/api/use-form.ts";
import { type Announcement, announcementPreviewPath } from "#contract/admin/announcements.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { Figures } from "../figures.tsx";
import { Panel } from "../panel.tsx";
import { useStep } from "./announcement-queries.ts";
import { audienceWords, countWords, stateWords } from "./announcement-words.ts";

/** An announcement that is being sent or was sent: its progress, and buttons to pause and to stop it. */
export function Sending({ announcement }: { announcement: Announcement }) {
  const { id, subject, text, button, audience, lessonTitle, state, recipients, sent, leftOut, failed } = announcement;
  const waiting = state === "stopped" ? 0 : recipients - sent - leftOut - failed;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Badge tone={stateWords[state].tone}>{stateWords[state].words}</Badge>
        <p className="min-w-0 grow text-sm wrap-anywhere" aria-live="polite">
          {timeWords(announcement)}
        </p>
        <Steps announcement={announcement} waiting={waiting} />
      </div>
      <Figures
        label="The announcement in numbers"
        figures={[
          { label: "Recipients", value: formatCount(recipients), note: audienceWords(audience, lessonTitle) },
          { label: "Sent", value: formatCount(sent), note: waiting > 0 ? `${formatCount(waiting)} to come` : null },
          { label: "Left out", value: formatCount(leftOut), note: "unsubscribed or left meanwhile" },
          { label: "Failed", value: formatCount(failed), note: "refused by their mail server" },
        ]}
      />
      {(state === "sending" || state === "paused") && (
        <Progress label="Sent" value={(100 * (recipients - waiting)) / Math.max(1, recipients)} className="w-full" />
      )}
      <Panel
        title={subject}
        aside={
          <a
            href={announcementPreviewPath.replace("{id}", id)}
            target="_blank"
            rel="noreferrer"
            className={buttonStyle({ variant: "outline", size: "small" })}
          >
            Preview <span className="sr-only">in a new tab</span>
          </a>
        }
      >
        <p className="max-w-[64ch] whitespace-pre-line wrap-anywhere">{text}</p>
        {button && (
          <p className="mt-3 text-ink-soft text-sm wrap-anywhere">
            Button: {button.label}, {button.url}
          </p>
        )}
      </Panel>
    </div>
  );
}

function timeWords({ state, sent, startsAt, endsAt, finishedAt, startedAt }: Announcement): string {
  if (state === "sending" && sent === 0 && startsAt) return `The first mail goes out ${formatTimestamp(startsAt)}.`;
  if (state === "sending" && endsAt) return `The last mail goes out about ${formatTimestamp(endsAt)}.`;
  if (finishedAt) return `Ended ${formatTimestamp(finishedAt)}.`;
  return startedAt ? `Begun ${formatTimestamp(startedAt)}.` : "";
}

function Steps({ announcement: { id, state, subject }, waiting }: { announcement: Announcement; waiting: number }) {
  const [isAsked, setIsAsked] = useState(false);
  const pause = useStep(id, "pause");
  const resume = useStep(id, "resume");
  if (state !== "sending" && state !== "paused") return null;
  return (
    <div className="flex flex-wrap gap-2">
      {state === "sending" ? (
        <Button variant="outline" pending={pause.isPending} onClick={() => pause.mutate(undefined)}>
          Pause
        </Button>
      ) : (
        <Button variant="outline" pending={resume.isPending} onClick={() => resume.mutate(undefined)}>
          Resume
        </Button>
      )}
      <Button variant="danger" onClick={() => setIsAsked(true)}>
        Stop
      </Button>
      {isAsked && <StopDialog id={id} subject={subject} waiting={waiting} onClose={() => setIsAsked(false)} />}
    </div>
  );
}

function StopDialog(props: { id: string; subject: string; waiting: number; onClose: () => void }) {
  const { id, subject, waiting, onClose } = props;
  const stop = useStep(id, "stop", onClose);
  const form = useForm({ send: () => stop.mutateAsync(undefined) });
  return (
    <ActionDialog
      title={`Stop “${subject}”?`}
      description={`${countWords(waiting, "person does", "people do")} not get it. It cannot be resumed; to go on later, pause it.`}
      confirm="Stop"
      isDangerous
      form={form}
      onClose={onClose}
    />
  );
}
