import type { RunningAcademy } from "./academy.ts";
import { confirmAddress } from "./coaching.ts";
import type { Visitor } from "./visitor.ts";

/** Confirms the address, and lets the person live where it is noon now, so that sequences may write to them. */
export async function liveAtNoon(academy: RunningAcademy, student: Visitor): Promise<Visitor> {
  await confirmAddress(academy, student);
  await academy.pool.query(
    "insert into coaching_calendars (user_id, time_zone, updated_at) select id, $1, now() from users where email = $2",
    [zoneWithNoonAt(new Date(await academy.now())), student.email],
  );
  return student;
}

export function zoneWithNoonAt(time: Date): string {
  const ahead = 12 - time.getUTCHours();
  return `Etc/GMT${ahead < 0 ? "+" : "-"}${Math.abs(ahead)}`;
}
