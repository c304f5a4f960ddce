import { useState } from "react";
import { api } from "#app/api/api.ts";
import { SettingsFields } from "#app/coaching/coach/settings-fields.tsx";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import { ZoneOptions } from "#app/coaching/zone-options.tsx";
import { addCoach, type CoachingAdministration, changeCoach } from "#contract/admin/coaching.ts";
import { Checkbox, Field, Input, Select } from "#ui/controls/field.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

/** Makes a user a coach. */
export function AddCoachDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [timeZone, setTimeZone] = useState(browserZone);
  return (
    <ReasonDialog
      title="Add a coach"
      description="Somebody who has an account here. A coach sees sessions, preparation and progress: no money, no addresses."
      confirm="Add coach"
      isReasonRequired
      isIncomplete={!email || !displayName.trim()}
      act={(reason) => api(addCoach, { body: { email, displayName, timeZone, reason: reason ?? "" } })}
      words={{ done: "Coach added", failed: "Failed to add the coach" }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Field label="Email of the account" name="email" error={faults.email}>
            <Input type="email" value={email} onChange={({ target }) => setEmail(target.value.trim())} />
          </Field>
          <Field label="Name that students see" name="displayName" error={faults.displayName}>
            <Input maxLength={60} value={displayName} onChange={({ target }) => setDisplayName(target.value)} />
          </Field>
          <Field label="Time zone" name="timeZone" error={faults.timeZone}>
            <Select value={timeZone} onChange={({ target }) => setTimeZone(target.value)}>
              <ZoneOptions zone={timeZone} />
            </Select>
          </Field>
        </>
      )}
    </ReasonDialog>
  );
}

/** Changes what a coach says and when they are there, or ends the role. */
export function ChangeCoachDialog({
  coach,
  onClose,
}: {
  coach: CoachingAdministration["coaches"][number];
  onClose: () => void;
}) {
  const [settings, setSettings] = useState(coach.settings);
  const [isActive, setIsActive] = useState(coach.isActive);
  return (
    <ReasonDialog
      title={`Change ${coach.settings.displayName}`}
      description="What is booked stays. A coach who is not active offers no new sessions."
      confirm="Save"
      isReasonRequired
      act={(reason) =>
        api(changeCoach, { params: { id: coach.id }, body: { isActive, settings, reason: reason ?? "" } })
      }
      words={{ done: "Coach saved", failed: "Failed to save the coach" }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Checkbox
            label="Active: offers sessions"
            checked={isActive}
            onChange={({ target }) => setIsActive(target.checked)}
          />
          <SettingsFields value={settings} onChange={setSettings} faults={faults} within="settings" />
        </>
      )}
    </ReasonDialog>
  );
}
