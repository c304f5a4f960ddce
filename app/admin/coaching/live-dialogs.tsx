import { api } from "#app/api/api.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import {
  type AdminLive,
  type CoachingAdministration,
  cancelLive,
  changeLive,
  recordLive,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { tierLabels } from "#contract/tiers.ts";
import { Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { ReasonDialog } from "../reason-dialog.tsx";

type Coach = CoachingAdministration["coaches"][number];

interface LiveDialogProps {
  /** Null for a new session. */
  session: AdminLive | null;
  coaches: readonly Coach[];
  onClose: () => void;
}

/** Schedules or changes a group session. This browser keeps the input until it is saved or cancelled. */
export function LiveDialog({ session, coaches, onClose }: LiveDialogProps) {
  const active = coaches.filter(({ isActive, id }) => isActive || id === session?.coachId);
  const saved = {
    title: session?.title ?? "",
    about: session?.about ?? "",
    coachId: session?.coachId ?? active[0]?.id ?? "",
    startsAt: session ? toLocal(session.startsAt) : "",
    minutes: session ? (Date.parse(session.endsAt) - Date.parse(session.startsAt)) / 60_000 : 60,
    requiredTier: session?.requiredTier === "vip" ? ("vip" as const) : ("premium" as const),
    seats: session?.seats ?? null,
    meetingUrl: "",
    version: session?.version,
  };
  const { value, isChanged, change: keep, discard } = useKeptDraft(`live-${session?.id ?? "new"}`, saved);
  const change = (part: Partial<typeof value>) => keep({ ...value, ...part });
  const close = () => {
    discard();
    onClose();
  };
  const startsAt = fromLocal(value.startsAt);
  return (
    <ReasonDialog
      title={session ? `Change ${session.title}` : "Schedule a group session"}
      description={
        session
          ? "Students with a seat are told of another time or coach."
          : "Everybody it is for gets an email with the date."
      }
      confirm={session ? "Save" : "Schedule"}
      isReasonRequired
      isIncomplete={!value.title.trim() || !value.about.trim() || !value.coachId || !startsAt}
      act={(reason = "") => {
        const { meetingUrl, version, ...text } = value;
        const body = { ...text, startsAt: startsAt ?? "", reason };
        return session
          ? api(changeLive, {
              params: { id: session.id },
              query: { version },
              body: { ...body, ...(meetingUrl && { meetingUrl }) },
            })
          : api(scheduleLive, { body: { ...body, meetingUrl: meetingUrl || null } });
      }}
      words={{
        done: session ? "Group session saved" : "Group session scheduled",
        failed: "Failed to save the session",
      }}
      onClose={onClose}
      onCancel={close}
      onDone={close}
    >
      {(faults, isSending) => (
        <fieldset disabled={isSending} className="grid min-w-0 gap-5">
          <Field label="Title" name="title" error={faults.title}>
            <Input maxLength={120} value={value.title} onChange={({ target }) => change({ title: target.value })} />
          </Field>
          <Field label="What it is about" name="about" error={faults.about}>
            <Textarea
              rows={3}
              maxLength={1000}
              value={value.about}
              onChange={({ target }) => change({ about: target.value })}
            />
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field className="grid-cols-1" label="Begins, in your time" name="startsAt" error={faults.startsAt}>
              <Input
                type="datetime-local"
                value={value.startsAt}
                onChange={({ target }) => change({ startsAt: target.value })}
              />
            </Field>
            <Field label="Minutes" name="minutes" error={faults.minutes}>
              <Input
                type="number"
                min={15}
                max={480}
                value={value.minutes}
                onChange={({ target }) => change({ minutes: Number(target.value) })}
              />
            </Field>
            <Field label="Coach" name="coachId" error={faults.coachId}>
              <Select value={value.coachId} onChange={({ target }) => change({ coachId: target.value })}>
                {active.map(({ id, settings }) => (
                  <option key={id} value={id}>
                    {settings.displayName}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="For" name="requiredTier" error={faults.requiredTier}>
              <Select
                value={value.requiredTier}
                onChange={({ target }) => change({ requiredTier: target.value === "vip" ? "vip" : "premium" })}
              >
                <option value="premium">{tierLabels.premium} and up</option>
                <option value="vip">{tierLabels.vip}</option>
              </Select>
            </Field>
            <Field label="Seats" name="seats" error={faults.seats} hint="Empty: as many as come.">
              <Input
                type="number"
                min={1}
                value={value.seats ?? ""}
                onChange={({ target }) => change({ seats: target.value ? Number(target.value) : null })}
              />
            </Field>
            <Field
              label="Room of its own"
              name="meetingUrl"
              error={faults.meetingUrl}
              hint={session?.hasOwnRoom ? "It has one. Empty: it stays." : "Empty: the coach’s."}
            >
              <Input
                type="url"
                value={value.meetingUrl}
                onChange={({ target }) => change({ meetingUrl: target.value.trim() })}
              />
            </Field>
          </div>
          <ChangedMeanwhile
            written={value}
            saved={saved}
            onKeep={() => change({ version: saved.version })}
            onDiscard={discard}
            describe={({ coachId, startsAt, requiredTier, meetingUrl, ...text }) => ({
              ...text,
              begins: fromLocal(startsAt),
              coach: coaches.find(({ id }) => id === coachId)?.settings.displayName ?? null,
              for: tierLabels[requiredTier],
              "room of its own": meetingUrl || null,
            })}
          />
          <KeptState isChanged={isChanged} />
        </fieldset>
      )}
    </ReasonDialog>
  );
}

export function CancelDialog({ session, onClose }: { session: AdminLive; onClose: () => void }) {
  return (
    <ReasonDialog
      title={`Cancel ${session.title}`}
      description={`${session.coming} have a seat. Each gets an email.`}
      confirm="Cancel session"
      isDangerous
      isReasonRequired
      act={(reason = "") => api(cancelLive, { params: { id: session.id }, body: { reason } })}
      words={{ done: "Group session cancelled", failed: "Failed to cancel the session" }}
      onClose={onClose}
    />
  );
}

export function RecordDialog({ session, onClose }: { session: AdminLive; onClose: () => void }) {
  const saved = {
    videoId: session.recordingVideoId ?? "",
    minutes: (session.recordingSeconds ?? 3600) / 60,
    version: session.version,
  };
  const { value, isChanged, change, discard } = useKeptDraft<typeof saved>(`recording-${session.id}`, saved);
  const { videoId, minutes, version } = value;
  const close = () => {
    discard();
    onClose();
  };
  return (
    <ReasonDialog
      title={`Recording of ${session.title}`}
      description="As lessons name their videos, such as youtube:…, vimeo:…, hls:https://…. Students who had a seat get an email."
      confirm="Save recording"
      isReasonRequired
      isIncomplete={!videoId.trim()}
      act={(reason = "") => {
        const body = { videoId, seconds: Math.round(minutes * 60), reason };
        return api(recordLive, { params: { id: session.id }, query: { version }, body });
      }}
      words={{ done: "Recording added", failed: "Failed to add the recording" }}
      onClose={onClose}
      onCancel={close}
      onDone={close}
    >
      {(faults, isSending) => (
        <fieldset disabled={isSending} className="grid min-w-0 gap-5">
          <Field label="Video" name="videoId" error={faults.videoId}>
            <Input
              maxLength={300}
              value={videoId}
              onChange={({ target }) => change({ ...value, videoId: target.value })}
            />
          </Field>
          <Field label="Minutes" name="seconds" error={faults.seconds}>
            <Input
              type="number"
              min={1}
              max={1440}
              value={minutes}
              onChange={({ target }) => change({ ...value, minutes: Number(target.value) })}
            />
          </Field>
          <ChangedMeanwhile
            written={value}
            saved={saved}
            onKeep={() => change({ ...value, version: saved.version })}
            onDiscard={discard}
          />
          <KeptState isChanged={isChanged} />
        </fieldset>
      )}
    </ReasonDialog>
  );
}
