import { DAY } from "#server/base/clock.ts";
import type { History } from "./rows.ts";
import type { SeededRandom } from "./seeded-random.ts";

interface Came {
  readonly users: History["users"];
  readonly purchases: History["purchases"];
  readonly from: Date;
  readonly now: Date;
  /** Demo accounts that the seed adds on the last day. */
  readonly alsoSignedUp: number;
}

/** Daily page visits: at least as many as sign-ups and purchases need, and visitors who did neither. */
export function openings(random: SeededRandom, { users, purchases, from, now, alsoSignedUp }: Came): History["visits"] {
  const signUps = Map.groupBy(users, ({ createdAt }) => dayOf(createdAt));
  const dayOfSignUp = new Map(users.map(({ id, createdAt }) => [id, dayOf(createdAt)]));
  const submissions = Map.groupBy(purchases, ({ createdAt }) => dayOf(createdAt));
  const visits: History["visits"][number][] = [];
  for (let at = from.getTime(); dayOf(new Date(at)) <= dayOf(now); at += DAY) {
    const day = dayOf(new Date(at));
    const cameBack = (submissions.get(day) ?? []).filter(({ userId }) => dayOfSignUp.get(userId) !== day);
    const signIns = new Set(cameBack.map(({ userId }) => userId)).size + random.whole(0, 1);
    const made = (signUps.get(day)?.length ?? 0) + (day === dayOf(now) ? alsoSignedUp : 0);
    const plan = Math.ceil((made + signIns) * random.between(1.25, 1.8)) + random.whole(0, 2);
    const grown = (at - from.getTime()) / (now.getTime() - from.getTime());
    const landing = Math.ceil(plan * random.between(2.6, 4.2)) + random.whole(5, 12 + Math.round(14 * grown));
    visits.push({ day, step: "landing", visits: landing }, { day, step: "plan", visits: plan });
    if (signIns > 0) visits.push({ day, step: "sign-in", visits: signIns });
  }
  return visits;
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
