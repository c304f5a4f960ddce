import { api } from "#app/api/api.ts";
import { SettingsFields } from "#app/coaching/coach/settings-fields.tsx";
import { settingsInWords } from "#app/coaching/coach/settings-words.ts";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import { zoneOptions } from "#app/coaching/zone-options.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { within } from "#app/editing/written.ts";
import { addCoach, CoachChange, type CoachingAdministration, changeCoach, NewCoach } from "#contract/admin/coaching.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";

/** Makes a user a coach. */
export function AddCoachDialog({ onClose }: { onClose: () => void }) {
  const form = useActForm(NewCoach, {
    kept: "coach-new",
    saved: { email: "", displayName: "", timeZone: knownZone(browserZone()), reason: "" },
    send: (body) => api(addCoach, { body }),
    words: { done: "Coach added", failed: "Failed to add the coach" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Add a coach"
      description="Choose someone who has an account. A coach sees sessions, preparation and progress, but no payments or addresses."
      confirm="Add coach"
      onClose={onClose}
    >
      <FormField form={form} name="email" label="Account email" />
      <FormField form={form} name="displayName" label="Name shown to students" />
      <FormField form={form} name="timeZone" label="Time zone" options={zoneOptions(form.value.timeZone)} />
    </FormDialog>
  );
}

interface ChangeCoachDialogProps {
  coach: CoachingAdministration["coaches"][number];
  onClose: () => void;
}

/** Changes a coach's settings, or ends the role. */
export function ChangeCoachDialog({ coach: { id, isActive, settings, version }, onClose }: ChangeCoachDialogProps) {
  const form = useActForm(CoachChange, {
    kept: `coach-${id}`,
    saved: { isActive, settings, reason: "", version },
    send: (body, version) => api(changeCoach, { params: { id }, query: { version }, body }),
    words: { done: "Coach saved", failed: "Failed to save the coach" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Change ${settings.displayName}`}
      description="Booked sessions stay. Students can’t book new ones with a coach who isn’t active."
      confirm="Save"
      describe={({ isActive, settings }) => ({ active: isActive, ...settingsInWords(settings) })}
      onClose={onClose}
    >
      <FormField form={form} name="isActive" label="Active, so students can book sessions" />
      <SettingsFields form={within(form, "settings")} />
    </FormDialog>
  );
}
