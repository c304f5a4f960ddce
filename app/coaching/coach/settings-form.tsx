import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type CoachSettings, setCoachSettings } from "#contract/coaching/coach.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { deskQuery } from "./coach-queries.ts";
import { SettingsFields } from "./settings-fields.tsx";

/** The coach's name, zone, room, hours and days off. The day is fetched anew each minute: what is being changed stays. */
export function SettingsForm({ settings }: { settings: CoachSettings }) {
  const [changed, setChanged] = useState<CoachSettings | null>(null);
  const value = changed ?? settings;
  const queryClient = useQueryClient();
  const { frame, faults, isSending } = useForm({
    async send() {
      queryClient.setQueryData(deskQuery.queryKey, await api(setCoachSettings, { body: value }));
      setChanged(null);
      toast({ title: "Saved", description: "What is booked stays as it is." });
    },
    onFailed: (error) => toastFailure("Error", error, "Your settings could not be saved. Please try again."),
  });
  return (
    <Card tone="raised">
      <form {...frame} className="grid gap-5" aria-labelledby="settings-title">
        <h2 id="settings-title" className="font-bold text-heading">
          Your hours
        </h2>
        <fieldset disabled={isSending} className="min-w-0">
          <SettingsFields value={value} onChange={setChanged} faults={faults} />
        </fieldset>
        <Button type="submit" pending={isSending}>
          Save
        </Button>
      </form>
    </Card>
  );
}
