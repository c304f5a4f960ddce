import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { SaveBar } from "#app/editing/save-bar.tsx";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type CoachDesk, CoachSettings, setCoachSettings } from "#contract/coaching/coach.ts";
import { Card } from "#ui/card.tsx";
import { toast } from "#ui/toast/toast.ts";
import { deskQuery } from "./coach-queries.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { settingsInWords } from "./settings-words.ts";

/** The form of a coach's settings. The day is refetched every minute, which leaves unsaved changes as they are. */
export function SettingsForm({ desk: { settings, settingsVersion } }: { desk: CoachDesk }) {
  const queryClient = useQueryClient();
  const form = useFormOf(CoachSettings, {
    kept: "coach-settings",
    saved: { ...settings, version: settingsVersion },
    async send(body, version) {
      queryClient.setQueryData(deskQuery.queryKey, await api(setCoachSettings, { query: { version }, body }));
      toast({ title: "Saved", description: "Sessions that are already booked don't change." });
    },
    onFailed(error) {
      if (isOutdated(error)) void queryClient.invalidateQueries({ queryKey: deskQuery.queryKey });
      toastFailure("Error", error, "We couldn't save your settings. Please try again.");
    },
  });
  return (
    <form {...form.frame} className="grid gap-5" aria-labelledby="settings-title">
      <Card tone="raised">
        <h2 id="settings-title" className="mb-5 font-bold text-heading">
          Your hours
        </h2>
        <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
          <SettingsFields form={form} />
          <ChangedMeanwhile form={form} describe={settingsInWords} />
        </fieldset>
      </Card>
      <SaveBar form={form} save="Save" otherwise="No unsaved changes" />
    </form>
  );
}
