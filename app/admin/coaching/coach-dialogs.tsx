import { useState } from "react";
import { api } from "#app/api/api.ts";
import { SettingsFields } from "#app/coaching/coach/settings-fields.tsx";
import { settingsInWords } from "#app/coaching/coach/settings-words.ts";
import { browserZone } from "#app/coaching/coaching-queries.ts";
import { ZoneOptions } from "#app/coaching/zone-options.tsx";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import { addCoach, type CoachingAdministration, changeCoach } from "#contract/admin/coaching.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { Checkbox, Field, Input, Select } from "#ui/controls/field.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

/** Makes a user a coach. */
export function AddCoachDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [timeZone, setTimeZone] = useState(() => knownZone(browserZone()));
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
            <Input type="email" value={email} onChange={({ target }) => setEmail(target.value)} />
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

interface ChangeCoachDialogProps {
  coach: CoachingAdministration["coaches"][number];
  onClose: () => void;
}

/** Changes a coach's settings, or ends the role. This browser keeps the input until it is saved or cancelled. */
export function ChangeCoachDialog({ coach: { id, isActive, settings, version }, onClose }: ChangeCoachDialogProps) {
  const saved = { isActive, ...settings, version };
  const { value, isChanged, change, discard } = useKeptDraft(`coach-${id}`, saved);
  const close = () => {
    discard();
    onClose();
  };
  return (
    <ReasonDialog
      title={`Change ${settings.displayName}`}
      description="What is booked stays. A coach who is not active offers no new sessions."
      confirm="Save"
      isReasonRequired
      act={(reason = "") => {
        const { version, isActive, ...settings } = value;
        return api(changeCoach, { params: { id }, query: { version }, body: { isActive, settings, reason } });
      }}
      words={{ done: "Coach saved", failed: "Failed to save the coach" }}
      onClose={onClose}
      onCancel={close}
      onDone={close}
    >
      {(faults, isSending) => (
        <fieldset disabled={isSending} className="grid min-w-0 gap-5">
          <Checkbox
            label="Active: offers sessions"
            checked={value.isActive}
            onChange={({ target }) => change({ ...value, isActive: target.checked })}
          />
          <SettingsFields
            value={value}
            onChange={(changed) => change({ ...value, ...changed })}
            faults={faults}
            within="settings"
          />
          <ChangedMeanwhile
            written={value}
            saved={saved}
            onKeep={() => change({ ...value, version })}
            onDiscard={discard}
            describe={({ isActive, ...settings }) => ({ active: isActive, ...settingsInWords(settings) })}
          />
          <KeptState isChanged={isChanged} />
        </fieldset>
      )}
    </ReasonDialog>
  );
}
