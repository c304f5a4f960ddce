import { expect } from "vitest";
import { bookSession, getSlots } from "#contract/coaching/coaching.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

export const timeZone = "America/New_York";
const DAY = 86_400_000;

/** As if the student had followed the mailed link, which a calendar's address needs. */
export async function confirmAddress(
  academy: Pick<RunningAcademy, "pool">,
  { email }: Pick<Visitor, "email">,
): Promise<void> {
  await academy.pool.query("update users set email_verified = true where email = $1", [email]);
}

/** All offered times at least `daysAhead` days ahead, as bodies of a booking. */
export async function freeTimes(student: Visitor, academy: RunningAcademy, daysAhead = 0) {
  const from = (await academy.now()) + daysAhead * DAY;
  const { coaches } = (await student.call(getSlots)).body;
  return coaches
    .flatMap(({ id: coachId, startsAt }) => startsAt.map((at) => ({ coachId, startsAt: at, timeZone })))
    .filter(({ startsAt }) => Date.parse(startsAt) > from);
}

/** Books the first time that is at least `daysAhead` days ahead. */
export async function bookAhead(student: Visitor, academy: RunningAcademy, daysAhead: number, prep = "") {
  const [time] = await freeTimes(student, academy, daysAhead);
  const { status, body } = await student.call(bookSession, { body: { ...time, prep } });
  expect(status).toBe(201);
  return body;
}

/** Moves the clock to some minutes after an instant, and signs these people in again. */
export async function advanceTo(
  academy: RunningAcademy,
  instant: string,
  minutesAfter: number,
  ...people: readonly Visitor[]
): Promise<void> {
  const minutes = Math.ceil((Date.parse(instant) - (await academy.now())) / 60_000) + minutesAfter;
  await academy.advance(`${Math.max(0, minutes)}m`, ...people);
}
