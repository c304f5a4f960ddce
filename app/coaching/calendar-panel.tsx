import { useMutation } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { closeCalendar, openCalendar } from "#contract/coaching/coaching.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { useRefreshCoaching } from "./coaching-queries.ts";

/** A URL for calendar apps, shown only once. A new URL replaces the old one. */
export function CalendarPanel({ hasCalendar }: { hasCalendar: boolean }) {
  const refresh = useRefreshCoaching();
  const onError = (error: Error) => toastFailure("Error", error, "That did not work. Please try again.");
  const open = useMutation({ mutationFn: () => api(openCalendar, { body: {} }), onSuccess: refresh, onError });
  const close = useMutation({ mutationFn: () => api(closeCalendar), onSuccess: refresh, onError });
  const url = open.data?.url;
  return (
    <section aria-labelledby="calendar-title" className="grid gap-3 rounded-md bg-sunken px-5 py-4">
      <h2 id="calendar-title" className="font-bold">
        In your calendar
      </h2>
      <p className="text-sm">
        {hasCalendar
          ? "A calendar can subscribe to your sessions by an address of yours. Anybody with the address can read it."
          : "Make an address to which your calendar subscribes: it always shows your sessions as they are."}
      </p>
      {url && hasCalendar && (
        <Field label="The address of your calendar" hint="Shown only now. Put it into your calendar program.">
          <Input readOnly value={url} onFocus={({ target }) => target.select()} />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" size="small" pending={open.isPending} onClick={() => open.mutate()}>
          {hasCalendar ? "Make a new address" : "Make an address"}
        </Button>
        {hasCalendar && (
          <Button variant="quiet" size="small" pending={close.isPending} onClick={() => close.mutate()}>
            Remove it
          </Button>
        )}
      </div>
    </section>
  );
}
