import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { RequiredReason } from "#contract/admin/admin.ts";
import {
  type AdminLive,
  type CoachingAdministration,
  cancelLive,
  changeLive,
  LiveChange,
  LiveRecording,
  recordLive,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { planName } from "#ui/academy.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";
import { LengthField } from "../length-field.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

type Coach = CoachingAdministration["coaches"][number];

interface LiveDialogProps {
  /** Null for a new session. */
  session: AdminLive | null;
  coaches: readonly Coach[];
  onClose: () => void;
}

/** Schedules or changes a group session. */
export function LiveDialog({ session, coaches, onClose }: LiveDialogProps) {
  const active = coaches.filter(({ isActive, id }) => isActive || id === session?.coachId);
  const form = useActForm(LiveChange, {
    kept: `live-${session?.id ?? "new"}`,
    saved: {
      title: session?.title ?? "",
      about: session?.about ?? "",
      coachId: session?.coachId ?? active[0]?.id ?? "",
      startsAt: session?.startsAt ?? "",
      minutes: session ? (Date.parse(session.endsAt) - Date.parse(session.startsAt)) / 60_000 : 60,
      requiredTier: session?.requiredTier === "vip" ? "vip" : "premium",
      seats: session?.seats ?? null,
      meetingUrl: null,
      reason: "",
      version: session?.version,
    },
    send: ({ meetingUrl, ...body }, version) =>
      session
        ? api(changeLive, {
            params: { id: session.id },
            query: { version },
            // It is never read back, so an empty field keeps the room.
            body: { ...body, ...(meetingUrl && { meetingUrl }) },
          })
        : api(scheduleLive, { body: { ...body, meetingUrl: meetingUrl ?? null } }),
    words: {
      done: session ? "Group session saved" : "Group session scheduled",
      failed: "Failed to save the session",
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={session ? `Change “${session.title}”` : "Schedule a group session"}
      description={
        session
          ? "We email students with a seat when the time or the coach changes."
          : "We email everyone who can come, with the date."
      }
      confirm={session ? "Save" : "Schedule"}
      describe={({ coachId, startsAt, requiredTier, meetingUrl, ...text }) => ({
        ...text,
        starts: startsAt,
        coach: coaches.find(({ id }) => id === coachId)?.settings.displayName ?? null,
        for: planName(requiredTier),
        "separate room": meetingUrl ?? null,
      })}
      onClose={onClose}
    >
      <FormField form={form} name="title" label="Title" />
      <FormField form={form} name="about" label="Description" />
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={form} name="startsAt" label="Starts, in your time zone" className="grid-cols-1" />
        <FormField form={form} name="minutes" label="Minutes" />
        <FormField
          form={form}
          name="coachId"
          label="Coach"
          options={active.map(({ id, settings }) => [id, settings.displayName] as const)}
        />
        <FormField
          form={form}
          name="requiredTier"
          label="Who can join"
          options={[
            ["premium", `${planName("premium")} and up`],
            ["vip", planName("vip")],
          ]}
        />
        <FormField form={form} name="seats" label="Seats" hint="Leave empty for no limit." />
        <FormField
          form={form}
          name="meetingUrl"
          label="Separate room"
          hint={session?.hasOwnRoom ? "Leave empty to keep its room." : "Leave empty to use the coach’s room."}
        />
      </div>
    </FormDialog>
  );
}

export function CancelDialog({ session, onClose }: { session: AdminLive; onClose: () => void }) {
  return (
    <ReasonDialog
      about={session.id}
      title={`Cancel “${session.title}”`}
      description={`${formatCountOf(session.coming, "student")} with a seat will get an email.`}
      confirm="Cancel session"
      isDangerous
      schema={RequiredReason}
      act={(reason = "") => api(cancelLive, { params: { id: session.id }, body: { reason } })}
      words={{ done: "Group session cancelled", failed: "Failed to cancel the session" }}
      onClose={onClose}
    />
  );
}

export function RecordDialog({ session, onClose }: { session: AdminLive; onClose: () => void }) {
  const form = useActForm(LiveRecording, {
    kept: `recording-${session.id}`,
    saved: {
      videoId: session.recordingVideoId ?? "",
      seconds: session.recordingSeconds ?? 3600,
      reason: "",
      version: session.version,
    },
    send: (body, version) => api(recordLive, { params: { id: session.id }, query: { version }, body }),
    words: { done: "Recording added", failed: "Failed to add the recording" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Recording of “${session.title}”`}
      description="We email students who had a seat."
      confirm="Save recording"
      onClose={onClose}
    >
      <FormField form={form} name="videoId" label="Video" hint="Paste its address." rows={1} />
      <LengthField form={form} name="seconds" empty={0} label="Length" hint="Minutes and seconds, such as 45:00." />
    </FormDialog>
  );
}
