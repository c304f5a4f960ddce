import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { KeptState } from "#app/editing/kept-state.tsx";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { type CoachBookingDetail, SessionSummary, writeSummary } from "#contract/coaching/coach.ts";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";
import { coachBookingQuery, useShown } from "./coach-queries.ts";

/** Typed text stays in this browser until it is saved, even if another browser saves a summary meanwhile. */
export function Summary({ session: { id, studentName, summary, summaryVersion } }: { session: CoachBookingDetail }) {
  const queryClient = useQueryClient();
  const show = useShown(id);
  const form = useFormOf(SessionSummary, {
    kept: `summary-${id}`,
    saved: { summary: summary ?? "", version: summaryVersion },
    async send(body, version) {
      show(await api(writeSummary, { params: { id }, query: { version }, body }));
      toast({ title: "Summary saved", description: `${studentName} can read it.` });
    },
    onFailed(error) {
      if (isOutdated(error)) void queryClient.invalidateQueries({ queryKey: coachBookingQuery(id).queryKey });
      toastFailure("Error", error, "We couldn't save the summary. Please try again.");
    },
  });
  return (
    <form {...form.frame} className="grid gap-4">
      <FormField
        form={form}
        name="summary"
        label="Summary"
        hint={`Write what you agreed on. ${studentName} can read it, and gets an email when you first save it.`}
        rows={8}
        disabled={form.isSending}
      />
      <ChangedMeanwhile form={form} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" pending={form.isSending}>
          Save summary
        </Button>
        <KeptState isChanged={form.isChanged} />
      </div>
    </form>
  );
}
