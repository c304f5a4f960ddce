import { cx } from "class-variance-authority";
import { useMemo } from "react";
import type { Slots } from "#contract/coaching/coaching.ts";
import { cityOf, clockInZone, dayFormat } from "#contract/coaching/times.ts";

/** A free time of a coach. */
export interface Slot {
  coachId: string;
  coachName: string;
  coachZone: string;
  startsAt: string;
}

interface SlotPickerProps {
  slots: Slots;
  zone: string;
  chosen: Slot | null;
  onChoose: (slot: Slot) => void;
}

/** All free times of 30 days, grouped by day, in the student's and the coach's time zone. */
export function SlotPicker({ slots, zone, chosen, onChoose }: SlotPickerProps) {
  const days = useMemo(() => daysOf(slots, zone), [slots, zone]);
  const coaches = slots.coaches.filter(({ startsAt }) => startsAt.length > 0);
  return (
    <fieldset className="grid gap-5">
      <legend className="sr-only">Free times of the next 30 days</legend>
      <p className="text-ink-soft text-sm">
        Above, your time in {cityOf(zone)}. Below it,{" "}
        {coaches.map(({ name, timeZone }) => `${name}’s in ${cityOf(timeZone)}`).join(", ")}.
      </p>
      <div className="grid gap-4">
        {days.map(({ day, times }) => (
          <fieldset key={day} className="min-w-0 border-line border-t pt-2.5">
            <legend className="float-left mb-2 w-full font-bold text-sm">{day}</legend>
            <div className="clear-both grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-1.5">
              {times.map((time) => (
                <Time
                  key={`${time.coachId} ${time.startsAt}`}
                  slot={time}
                  zone={zone}
                  withName={coaches.length > 1}
                  isChosen={chosen?.coachId === time.coachId && chosen.startsAt === time.startsAt}
                  onChoose={onChoose}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

interface TimeProps {
  slot: Slot;
  zone: string;
  withName: boolean;
  isChosen: boolean;
  onChoose: (slot: Slot) => void;
}

function Time({ slot, zone, withName, isChosen, onChoose }: TimeProps) {
  return (
    <label
      className={cx(
        "relative grid min-h-12 cursor-pointer content-center rounded-sm border-[1.5px] px-2.5 py-1 leading-tight transition-colors",
        "has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2",
        isChosen ? "border-tag-ink bg-tag text-tag-ink" : "border-line-strong bg-surface hover:border-ink",
      )}
    >
      <input
        type="radio"
        name="slot"
        className="absolute inset-0 cursor-pointer opacity-0"
        checked={isChosen}
        onChange={() => onChoose(slot)}
      />
      <span className="font-bold text-sm tabular-nums">
        {clockInZone(slot.startsAt, zone)}
        <span className="sr-only">,</span>
      </span>
      <span className={cx("text-fine tabular-nums", !isChosen && "text-ink-soft")}>
        {clockInZone(slot.startsAt, slot.coachZone)}
        <span className="sr-only"> for</span>
        <span className={withName ? undefined : "sr-only"}> {slot.coachName}</span>
      </span>
    </label>
  );
}

function daysOf({ coaches }: Slots, zone: string): { day: string; times: Slot[] }[] {
  const dayName = dayFormat(zone);
  const all = coaches
    .flatMap(({ id, name, timeZone, startsAt }) =>
      startsAt.map((at) => ({ coachId: id, coachName: name, coachZone: timeZone, startsAt: at })),
    )
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt) || a.coachName.localeCompare(b.coachName));
  const byDay = new Map<string, Slot[]>();
  for (const slot of all) {
    const day = dayName.format(new Date(slot.startsAt));
    byDay.set(day, [...(byDay.get(day) ?? []), slot]);
  }
  return [...byDay].map(([day, times]) => ({ day, times }));
}
