import type { CoachingAhead, MeterMonth } from "#contract/admin/coaching.ts";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { type Interval, listIntervals } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import { promisesOnSale } from "#server/catalogue/catalogue.ts";
import type { Db } from "#server/db/db.ts";
import { deleted } from "#server/identity/users.ts";
import { listOtherPromises } from "#server/purchases/purchases.ts";
import { academyZone } from "#server/settings/settings.ts";
import { leftAt, windowAt } from "./allowance.ts";
import { listActiveCoaches, listForMeter, listSchedules, listTaken } from "./queries.ts";
import { bookableRange, maxNotice } from "./rules.ts";
import { freeSessions, type Range, sessionsOf } from "./slots.ts";

interface Promised extends Omit<Interval, "purchaseId"> {
  readonly userId: string;
  readonly promise: CoachingPromise;
}

/** What is read about students. */
type Records = Awaited<ReturnType<typeof readRecords>>;

export interface Meter {
  readonly ahead: CoachingAhead;
  /** Up to the current month, the newest first. */
  readonly months: MeterMonth[];
}

export async function readMeter(db: Db, count: number, now: Date): Promise<Meter> {
  const zone = await academyZone(db);
  const months = lastMonths(count, now, zone);
  const first = months.at(-1)?.startsAt ?? now;
  const [records, slots, offered] = await Promise.all([
    readRecords(db, first),
    countFree(db, now),
    listOffered(db, first, months[0]?.endsAt ?? now),
  ]);
  return { ahead: foresee(records, slots, now), months: countMonths(months, records, offered, now) };
}

export async function lookAhead(db: Db, now: Date): Promise<CoachingAhead> {
  const [records, slots] = await Promise.all([readRecords(db, now), countFree(db, now)]);
  return foresee(records, slots, now);
}

interface Month extends Range {
  readonly name: string;
}

/** @internal */
export function countMonths(
  months: readonly Month[],
  { promised, inactive, bookingsOf, extrasOf, booked, extras }: Records,
  offered: readonly Range[],
  now: Date,
): MeterMonth[] {
  const counted = months.map((month) => ({ month, figures: emptyMonth(month.name) }));
  const startTimes = months.map(({ startsAt }) => startsAt.getTime());
  const end = months[0]?.endsAt.getTime() ?? 0;
  const add = (instant: Date, field: Exclude<keyof MeterMonth, "month">, amount: number) => {
    const at = instant.getTime();
    const figures = at < end ? counted[startTimes.findIndex((startsAt) => startsAt <= at)]?.figures : undefined;
    if (figures) figures[field] += amount;
  };
  const untilNow = now.getTime() + 1;
  const addSteps = (steps: Steps, field: "owed" | "expired", sessions: number) => {
    let before = stepsBefore(steps, startTimes.at(-1) ?? 0);
    for (const { month, figures } of counted.toReversed()) {
      const then = stepsBefore(steps, month.endsAt.getTime());
      figures[field] += sessions * (then - before);
      before = then;
    }
  };
  for (const { userId, startsAt: since, endsAt, promise } of promised) {
    if (inactive.get(userId) === deleted) continue;
    const every = { from: since.getTime(), length: promise.everyDays * DAY };
    const end = endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
    addSteps({ ...every, first: 0, until: Math.min(end, untilNow) }, "owed", promise.sessions);
    // As if nobody had booked. The last window may end with the access.
    addSteps({ ...every, first: 1, until: Math.min(end + 1, untilNow) }, "expired", promise.sessions);
    const mine = bookingsOf.get(userId);
    if (!mine) continue;
    const windows = new Set(mine.map(({ startsAt }) => windowAt({ promise, since }, startsAt).startsAt.getTime()));
    for (const startsAt of windows) {
      const { window, own } = leftAt({ promise, since }, mine, extrasOf.get(userId) ?? [], new Date(startsAt));
      const isWhole = startsAt >= every.from && window.endsAt.getTime() <= end && window.endsAt <= now;
      if (isWhole) add(window.endsAt, "expired", own - promise.sessions);
    }
  }
  for (const { startsAt, state } of booked) {
    if (state !== "cancelled") add(startsAt, "booked", 1);
    if (state === "held") add(startsAt, "held", 1);
    if (state === "missed-by-coach") add(startsAt, "missedByUs", 1);
  }
  for (const { createdAt } of extras) add(createdAt, "returned", 1);
  for (const { startsAt } of offered) add(startsAt, "offered", 1);
  return counted.map(({ figures }) => figures);
}

/** Periods of equal length that begin at `from`, from number `first` on, up to `until`. */
interface Steps {
  readonly from: number;
  readonly length: number;
  readonly first: number;
  readonly until: number;
}

function stepsBefore({ from, length, first, until }: Steps, instant: number): number {
  return Math.max(first, Math.ceil((Math.min(instant, until) - from) / length));
}

function foresee({ promised, inactive, bookingsOf, extrasOf }: Records, free: number, now: Date): CoachingAhead {
  const last = after(now, maxNotice);
  const students = promised.filter(({ userId, startsAt: since, endsAt, promise }) => {
    const isNow = since <= now && (!endsAt || endsAt > now);
    if (!isNow || inactive.has(userId)) return false;
    const mine = bookingsOf.get(userId);
    if (!mine) return true;
    if (mine.some(({ state, startsAt }) => state === "booked" && startsAt > now)) return false;
    const entitlement = { promise, since };
    const next = windowAt(entitlement, now).endsAt;
    const times = next < last && (!endsAt || next < endsAt) ? [now, next] : [now];
    return times.some((at) => {
      const { own, extra } = leftAt(entitlement, mine, extrasOf.get(userId) ?? [], at);
      return own + extra > 0;
    });
  }).length;
  const slots = promised.length === 0 ? 0 : free;
  return { students, slots, unserved: Math.max(0, students - slots) };
}

/** Do not call in a transaction: the statements run concurrently. */
async function readRecords(db: Db, first: Date) {
  const promised = await listPromised(db);
  // Windows that end in the first month may begin before it; bookings of earlier windows do not count.
  const longest = promised.reduce((days, { promise }) => Math.max(days, promise.everyDays), 0);
  const { booked, extras, inactive } = await listForMeter(db, after(first, -longest * DAY));
  return {
    ...{ promised, inactive, booked, extras },
    bookingsOf: Map.groupBy(booked, ({ userId }) => userId),
    extrasOf: Map.groupBy(extras, ({ userId }) => userId),
  };
}

/** What students were promised, by their purchase or the current plan. Skips tiers without coaching. */
async function listPromised(db: Db): Promise<Promised[]> {
  const onSale = await promisesOnSale(db);
  const otherPromises = listOtherPromises(db, onSale);
  const isOfOthers = async (tier: Tier) =>
    [...(await otherPromises).values()].some((each) => each.tier === tier && each.promise.sessions > 0);
  const perTier = await Promise.all(
    tiers.map(async (tier) => {
      if (onSale[tier].sessions === 0 && !(await isOfOthers(tier))) return [];
      const [intervals, other] = await Promise.all([listIntervals(db, tier), otherPromises]);
      return intervals.map(({ userId, startsAt, endsAt, purchaseId }) => {
        const promise = other.get(purchaseId ?? "")?.promise ?? onSale[tier];
        return { userId, startsAt, endsAt, promise };
      });
    }),
  );
  return perTier.flat().filter(({ promise }) => promise.sessions > 0);
}

async function countFree(db: Db, now: Date): Promise<number> {
  const minutes = await shortestPromise(db);
  if (minutes === null) return 0;
  const range = bookableRange({ until: null, notBefore: null }, now);
  const coaches = await listActiveCoaches(db);
  const schedules = await listSchedules(db, coaches);
  const taken = await listTaken(
    db,
    coaches.map(({ userId }) => userId),
    { startsAt: range.startsAt, endsAt: after(range.endsAt, DAY) },
  );
  return coaches.reduce((sum, { userId }) => {
    const schedule = schedules.get(userId);
    const sessions = schedule ? sessionsOf(schedule, minutes, range) : [];
    const ofCoach = taken.filter(({ coachId }) => coachId === userId);
    return sum + freeSessions(sessions, ofCoach).length;
  }, 0);
}

/** Null when no plan includes coaching. */
async function shortestPromise(db: Db): Promise<number | null> {
  const promises = Object.values(await promisesOnSale(db));
  const lengths = promises.filter(({ sessions }) => sessions > 0).map(({ minutes }) => minutes);
  return lengths.length > 0 ? Math.min(...lengths) : null;
}

/** The sessions that fit into the active coaches' current hours, since they became coaches. */
async function listOffered(db: Db, since: Date, endsAt: Date): Promise<Range[]> {
  const minutes = await shortestPromise(db);
  if (minutes === null) return [];
  const coaches = await listActiveCoaches(db);
  const schedules = await listSchedules(db, coaches);
  return coaches.flatMap(({ userId, createdAt }) => {
    const schedule = schedules.get(userId);
    return schedule ? sessionsOf(schedule, minutes, { startsAt: createdAt > since ? createdAt : since, endsAt }) : [];
  });
}

function emptyMonth(month: string): MeterMonth {
  return { month, owed: 0, offered: 0, booked: 0, held: 0, missedByUs: 0, returned: 0, expired: 0 };
}

/** @internal */
export function lastMonths(count: number, now: Date, timeZone: string): Month[] {
  const current = dateIn(timeZone, now).with({ day: 1 });
  return Array.from({ length: count }, (_, back) => {
    const first = current.subtract({ months: back });
    const [startsAt, endsAt] = [first, first.add({ months: 1 })].map((day) => startOfDate(timeZone, day));
    return { name: first.toPlainYearMonth().toString(), startsAt, endsAt } as Month;
  });
}
