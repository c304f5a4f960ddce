import { cx } from "class-variance-authority";
import { type ReactNode, useId, useMemo, useState } from "react";
import type { Slots } from "#contract/coaching/coaching.ts";
import { freeDays, type Slot } from "#contract/coaching/free-days.ts";
import { cityOf, clockInZone } from "#contract/coaching/times.ts";
import { formatCountOf } from "#ui/format/numbers.ts";

interface SlotPickerProps {
  slots: Slots;
  zone: string;
  chosen: Slot | null;
  onChoose: (slot: Slot | null) => void;
}

/** The days with free times, and the times of the open day in the student's and the coach's time zone. */
export function SlotPicker({ slots, zone, chosen, onChoose }: SlotPickerProps) {
  const days = useMemo(() => freeDays(slots, zone), [slots, zone]);
  const [openDay, setOpenDay] = useState<string | null>(null);
  const isChosen = ({ coachId, startsAt }: Slot) => chosen?.coachId === coachId && chosen.startsAt === startsAt;
  const open = days.find(({ times }) => times.some(isChosen)) ?? days.find(({ day }) => day === openDay) ?? days[0];
  const coaches = slots.coaches.filter(({ startsAt }) => startsAt.length > 0);
  return (
    <div className="grid min-w-0 gap-6">
      <Choices legend="Day">
        {days.map(({ day, shortDay, times }) => {
          const [weekday, date] = shortDay.split(", ");
          return (
            <Choice
              key={day}
              name="day"
              isChosen={day === open?.day}
              onChoose={() => {
                setOpenDay(day);
                // A time of a day that is not shown must not be booked by mistake.
                onChoose(null);
              }}
              note={formatCountOf(times.length, "time")}
            >
              <span className="block font-normal text-fine">
                {weekday}
                <span className="sr-only">, </span>
              </span>
              {date}
            </Choice>
          );
        })}
      </Choices>
      <Choices
        legend={`Times on ${open?.day}`}
        hint={`The first time is yours, in ${cityOf(zone)}. The second is ${coaches.map(({ name, timeZone }) => `${name}’s, in ${cityOf(timeZone)}`).join(", or ")}.`}
      >
        {open?.times.map((slot) => (
          <Choice
            key={`${slot.coachId} ${slot.startsAt}`}
            name="slot"
            isChosen={isChosen(slot)}
            onChoose={() => onChoose(slot)}
            note={
              <>
                {clockInZone(slot.startsAt, slot.coachZone)}
                <span className="sr-only"> for</span>
                <span className={coaches.length > 1 ? undefined : "sr-only"}> {slot.coachName}</span>
              </>
            }
          >
            {clockInZone(slot.startsAt, zone)}
          </Choice>
        ))}
      </Choices>
    </div>
  );
}

function Choices({ legend, hint, children }: { legend: string; hint?: string; children: ReactNode }) {
  const hintId = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={hint && hintId}>
      <legend className="mb-2 font-bold">{legend}</legend>
      {hint && (
        <p id={hintId} className="mb-2 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(5.125rem,1fr))] gap-1.5">{children}</div>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  /** The second line. */
  note: ReactNode;
  children: ReactNode;
}

function Choice({ name, isChosen, onChoose, note, children }: ChoiceProps) {
  return (
    <label
      data-chosen={isChosen || undefined}
      className={cx(
        "relative grid min-h-12 cursor-pointer content-center rounded-sm border-[1.5px] px-2 py-1.5 leading-tight transition-colors",
        "has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2",
        isChosen ? "border-tag-ink bg-tag text-tag-ink" : "border-line-strong bg-surface hover:border-ink",
      )}
    >
      <input
        type="radio"
        name={name}
        className="absolute inset-0 cursor-pointer opacity-0"
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="font-bold text-sm tabular-nums">
        {children}
        <span className="sr-only">,</span>
      </span>
      <span className={cx("text-fine tabular-nums", !isChosen && "text-ink-soft")}>{note}</span>
    </label>
  );
}
