import type { Slots } from "./coaching.ts";
import { dayFormat } from "./times.ts";

/** A free time of a coach. */
export interface Slot {
  coachId: string;
  coachName: string;
  coachZone: string;
  startsAt: string;
}

/** A day on which something is free. `shortDay` is such as "Tue, Mar 9". */
export interface FreeDay {
  day: string;
  shortDay: string;
  times: Slot[];
}

/** The days with free times in a time zone, and their times, in order. */
export function freeDays({ coaches }: Slots, zone: string): FreeDay[] {
  const dayName = dayFormat(zone);
  const shortName = dayFormat(zone, "short");
  const all = coaches
    .flatMap(({ id, name, timeZone, startsAt }) =>
      startsAt.map((at) => ({ coachId: id, coachName: name, coachZone: timeZone, startsAt: at })),
    )
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt) || a.coachName.localeCompare(b.coachName));
  const days = new Map<string, FreeDay>();
  for (const slot of all) {
    const at = new Date(slot.startsAt);
    const day = dayName.format(at);
    const known = days.get(day);
    if (known) known.times.push(slot);
    else days.set(day, { day, shortDay: shortName.format(at), times: [slot] });
  }
  return [...days.values()];
}
