import { type Announcement, announcementSteps } from "#contract/admin/announcements.ts";
import type { BatchState } from "#contract/admin/batches.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { BatchReport } from "../batches/batch-report.tsx";
import { BatchSteps } from "../batches/batch-steps.tsx";
import { peopleWords } from "../batches/batch-words.ts";
import { Panel } from "../panel.tsx";
import { announcementQuery } from "./announcement-queries.ts";
import { audienceWords, sendAtWords, stateWords } from "./announcement-words.ts";
import { AnnouncementText, PreviewLink } from "./text.tsx";

interface SendingProps {
  announcement: Announcement & { state: BatchState };
}

/** An announcement that is being sent or was sent. */
export function Sending({ announcement }: SendingProps) {
  const { id, subject, audience, toTeam, lessonTitle, sendAt, state, skipped, failed, waiting } = announcement;
  return (
    <Panel
      title={subject}
      aside={
        <div className="flex flex-wrap gap-2">
          <PreviewLink id={id} size="small" />
          <BatchSteps
            batch={announcement}
            calls={announcementSteps}
            queryKey={announcementQuery(id).queryKey}
            stop={{
              title: `Stop “${subject}”?`,
              description: `${peopleWords(waiting)} won’t get it. You can’t resume it. To continue later, pause it instead.`,
            }}
          />
        </div>
      }
    >
      <BatchReport
        batch={announcement}
        summary={`Sent to ${formatCount(announcement.done)} of ${peopleWords(announcement.people)}`}
        stateWords={stateWords[state].words}
        leftOut={[
          [
            skipped,
            `Unsubscribed, suspended or deleted${state === "stopped" ? ", or stopped before it was sent" : ""}`,
          ],
          [failed, "Refused by their mail server"],
        ]}
      >
        To: {audienceWords(audience, lessonTitle)}
        {toTeam && ", with the team"}. {sendAt && `Scheduled for ${sendAtWords(sendAt)}.`} {timeWords(announcement)}
      </BatchReport>
      <AnnouncementText announcement={announcement} />
    </Panel>
  );
}

function timeWords({ state, done, startsAt, endsAt, finishedAt, startedAt }: Announcement): string {
  if (state === "running" && done === 0 && startsAt) return `The first email goes out ${formatTimestamp(startsAt)}.`;
  if (state === "running" && endsAt) return `The last email goes out about ${formatTimestamp(endsAt)}.`;
  if (finishedAt) return `Ended ${formatTimestamp(finishedAt)}.`;
  return startedAt ? `Started ${formatTimestamp(startedAt)}.` : "";
}
