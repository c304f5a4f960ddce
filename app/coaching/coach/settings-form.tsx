import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type CoachSettings, setCoachSettings } from "#contract/coaching/coach.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { deskQuery } from "./coach-queries.ts";
import { SettingsFields } from "./settings-fields.tsx";

/** The coach's name, zone, room, hours and days off. */
export function SettingsForm({ settings }: { settings: CoachSettings }) {
  const [value, setValue] = useState(settings);
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => api(setCoachSettings, { body: value }),
    onSuccess: (desk) => {
      queryClient.setQueryData(deskQuery.queryKey, desk);
      toast({ title: "Saved", description: "What is booked stays as it is." });
    },
    onError: (error) => toastFailure("Error", error, "Your settings could not be saved. Please try again."),
  });
  const errors = save.error instanceof ApiError ? (save.error.problem?.errors ?? {}) : {};
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  }
  return (
    <Card tone="raised">
      <form onSubmit={submit} className="grid gap-5" aria-labelledby="settings-title">
        <h2 id="settings-title" className="font-bold text-heading">
          Your hours
        </h2>
        <SettingsFields value={value} onChange={setValue} errors={errors} />
        <Button type="submit" pending={save.isPending}>
          Save
        </Button>
      </form>
    </Card>
  );
}
