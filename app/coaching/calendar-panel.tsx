import { useMutation } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { closeCalendar, openCalendar } from "#contract/coaching/coaching.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { useRefreshCoaching } from "./coaching-queries.ts";

/** A URL for calendar apps, shown only once. A new one replaces it, and it ends with the person's sign-ins. */
export function CalendarPanel({ since }: { since: string | null }) {
  const refresh = useRefreshCoaching();
  const onError = (error: Error) => toastFailure("Error", error, "That didn't work. Please try again.");
  const open = useMutation({ mutationFn: () => api(openCalendar, { body: {} }), onSuccess: refresh, onError });
  const close = useMutation({ mutationFn: () => api(closeCalendar), onSuccess: refresh, onError });
  const url = open.data?.url;
  return (
    <section aria-labelledby="calendar-title" className="grid gap-3 rounded-md bg-sunken px-5 py-4">
      <h2 id="calendar-title" className="font-bold">
        In your calendar
      </h2>
      <p className="text-sm">
        {since
          ? `You've had a calendar link since ${formatDay(since)}. It shows when your sessions are and with whom, to anyone who has the link.`
          : "Add your sessions to your calendar. The link keeps them up to date."}
      </p>
      {url && since && (
        <Field label="Calendar link" hint="We show it only once. Paste it into your calendar app.">
          <Input readOnly value={url} onFocus={({ target }) => target.select()} />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="small" pending={open.isPending} onClick={() => open.mutate()}>
          {since ? "Create a new link" : "Create a link"}
        </Button>
        {since && (
          <Button variant="quiet" size="small" pending={close.isPending} onClick={() => close.mutate()}>
            Remove link
          </Button>
        )}
      </div>
    </section>
  );
}
