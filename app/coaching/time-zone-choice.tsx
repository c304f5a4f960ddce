import { useState } from "react";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { cityOf } from "#contract/coaching/times.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Select } from "#ui/controls/field.tsx";
import { useZoneChange } from "./coaching-queries.ts";
import { zoneOptions } from "./zone-options.ts";

/** The time zone of all times on the page, with a way to change it. `isGuessed`: the browser does not know the user's. */
export function TimeZoneChoice({ zone, isGuessed }: { zone: string; isGuessed: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const change = useZoneChange();
  return (
    <section aria-label="Time zone" className="grid gap-3 rounded-md bg-sunken px-5 py-4">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        {isGuessed ? (
          <span>Your browser can't tell your time zone, so times are shown in UTC. Choose yours below.</span>
        ) : (
          <span>
            Times are shown in your zone: <strong>{cityOf(zone)}</strong>.
          </span>
        )}
        {!isGuessed && (
          <Button
            variant="quiet"
            size="small"
            className="-mx-2 px-2!"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            Change
          </Button>
        )}
      </p>
      {(isOpen || isGuessed) && (
        <Field label="Your time zone" hint="Booked sessions don't move. You only see their times in this zone.">
          <Select
            value={zone}
            disabled={change.isPending}
            onChange={({ target }) =>
              change.mutate(target.value, {
                onSuccess: () => setIsOpen(false),
                onError: (error) => toastFailure("Error", error, "Your time zone wasn't saved. Please try again."),
              })
            }
          >
            {zoneOptions(zone).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </section>
  );
}
