import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type CoachDesk, setCoachSettings } from "#contract/coaching/coach.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { deskQuery } from "./coach-queries.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { settingsInWords } from "./settings-words.ts";

/** The form of a coach's settings. The day is refetched every minute, which leaves unsaved changes as they are. */
export function SettingsForm({ desk: { settings, settingsVersion } }: { desk: CoachDesk }) {
  const saved = { ...settings, version: settingsVersion };
  const { value, isChanged, change, discard } = useKeptDraft("coach-settings", saved);
  const queryClient = useQueryClient();
  const { frame, faults, isSending, show } = useForm({
    async send() {
      const { version, ...body } = value;
      queryClient.setQueryData(deskQuery.queryKey, await api(setCoachSettings, { query: { version }, body }));
      discard();
      toast({ title: "Saved", description: "What is booked stays as it is." });
    },
    onFailed(error) {
      if (isOutdated(error)) void queryClient.invalidateQueries({ queryKey: deskQuery.queryKey });
      toastFailure("Error", error, "Your settings could not be saved. Please try again.");
    },
  });

  function takeBack(): void {
    discard();
    show({});
  }

  return (
    <Card tone="raised">
      <form {...frame} className="grid gap-5" aria-labelledby="settings-title">
        <h2 id="settings-title" className="font-bold text-heading">
          Your hours
        </h2>
        <fieldset disabled={isSending} className="grid min-w-0 gap-5">
          <SettingsFields
            value={value}
            onChange={(changed) => change({ ...changed, version: value.version })}
            faults={faults}
          />
          <ChangedMeanwhile
            written={value}
            saved={saved}
            onKeep={() => change({ ...value, version: saved.version })}
            onDiscard={takeBack}
            describe={settingsInWords}
          />
        </fieldset>
        <KeptState isChanged={isChanged} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={isSending}>
            Save
          </Button>
          {isChanged && (
            <Button variant="quiet" disabled={isSending} onClick={takeBack}>
              Discard changes
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
