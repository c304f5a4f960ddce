import { useState } from "react";
import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { within } from "#app/editing/written.ts";
import { type Announcement, cancelAnnouncement, SendBody, sendAnnouncement } from "#contract/admin/announcements.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { Panel } from "../panel.tsx";
import { useRecipientCount, useShown } from "./announcement-queries.ts";
import { academyCity, audienceWords, sendAtWords, stateWords } from "./announcement-words.ts";
import { AudiencePanel } from "./audience-panel.tsx";
import { AnnouncementText, PreviewLink } from "./text.tsx";

/** An announcement that waits for its time, with who would get it now. */
export function Scheduled({ announcement }: { announcement: Announcement }) {
  const [asked, setAsked] = useState<"time" | "cancel" | null>(null);
  const show = useShown();
  const { id, subject, audience, toTeam, lessonTitle, sendAt, startsAt } = announcement;
  const close = () => setAsked(null);
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel
        title={subject}
        aside={
          <div className="flex flex-wrap gap-2">
            <PreviewLink id={id} size="small" />
            <Button variant="outline" size="small" onClick={() => setAsked("time")}>
              Change time
            </Button>
            <Button variant="outline" size="small" onClick={() => setAsked("cancel")}>
              Cancel sending
            </Button>
          </div>
        }
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={stateWords.scheduled.tone}>{stateWords.scheduled.words}</Badge>
          <span>{sendAt && sendAtWords(sendAt)}</span>
        </p>
        <p className="mt-3 text-fine text-ink-soft wrap-anywhere">
          To: {audienceWords(audience, lessonTitle)}
          {toTeam && ", with the team"}. {startsAt && `In your time zone, sending begins ${formatTimestamp(startsAt)}.`}{" "}
          To change the text or the recipients, cancel sending first.
        </p>
        <AnnouncementText announcement={announcement} />
      </Panel>
      <AudiencePanel audience={audience} toTeam={toTeam} />
      {asked === "time" && <ScheduleDialog announcement={announcement} onClose={close} />}
      {asked === "cancel" && (
        <ConfirmDialog
          title={`Cancel sending “${subject}”?`}
          description="It won’t be sent. You can change it and send it later."
          confirm="Cancel sending"
          act={() => api(cancelAnnouncement, { params: { id }, body: {} })}
          words={{ done: "Sending cancelled", failed: "Failed to cancel it" }}
          onDone={show}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Asks when an announcement goes out. */
export function ScheduleDialog({ announcement, onClose }: { announcement: Announcement; onClose: () => void }) {
  const show = useShown();
  const recipients = useRecipientCount(announcement) ?? 0;
  const { id, version, subject, sendAt } = announcement;
  const form = useActForm(SendBody, {
    about: `schedule ${id}`,
    saved: { recipients, sendAt: sendAt ?? { day: "", time: "09:00", zone: "academy" } },
    asks: { "sendAt.day": "Choose a day." },
    settle: (body) => ({ ...body, recipients }),
    send: (body) => api(sendAnnouncement, { params: { id }, query: { version }, body }),
    words: { done: "Scheduled", failed: "Failed to schedule it" },
    onDone(scheduled) {
      show(scheduled);
      onClose();
    },
  });
  const sendAtPart = within(form, "sendAt");
  const time: typeof sendAtPart = {
    ...sendAtPart,
    change(changes) {
      // Day, time and zone are wrong together.
      form.forget("sendAt");
      sendAtPart.change(changes);
    },
  };
  return (
    <FormDialog
      form={form}
      title={`Schedule “${subject}”`}
      description="We choose the recipients when sending begins, so their number can change until then. You can change the time or cancel until then."
      confirm="Schedule"
      isIncomplete={recipients === 0}
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={time} name="day" label="Day" />
        <FormField form={time} name="time" label="Time" type="time" />
      </div>
      <FormField
        form={time}
        name="zone"
        label="Time zone"
        options={[
          ["academy", `The academy’s (${academyCity()})`],
          ["student", "Each student’s"],
        ]}
        hint={
          time.value.zone === "student"
            ? "We use the time zone of each student’s browser or coaching settings. If we don’t know it, we use the academy’s. Sending begins where clocks are furthest ahead (UTC+14)."
            : undefined
        }
      />
    </FormDialog>
  );
}
