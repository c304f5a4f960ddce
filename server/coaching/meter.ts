import { desc, gte } from "drizzle-orm";
import { z } from "zod";
import type { CoachingAhead, MeterMonth } from "#contract/admin/coaching.ts";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { tiers } from "#contract/tiers.ts";
import { listStretches, type Stretch } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { promiseOnSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { deleted } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { listPromises } from "#server/purchases/purchases.ts";
import { leftAt, windowAt } from "./allowance.ts";
import { listAccountStates, listActiveCoaches, listForMeter, listSchedules, listTaken } from "./queries.ts";
import { bookableRange, latestAhead } from "./rules.ts";
import { freeSessions, sessionsOf } from "./slots.ts";
import { coachingOffers } from "./tables.ts";

interface Promised extends Stretch {
  readonly userId: string;
  readonly promise: CoachingPromise;
}

/** Up to the month of now, the newest first. */
export async function describeMonths(db: Db, count: number, now: Date): Promise<MeterMonth[]> {
  const months = Array.from({ length: count }, (_, back) => monthBack(now, back));
  const first = new Date(`${months.at(-1)}-01T00:00:00Z`);
  const promised = await listPromised(db);
  const states = await listAccountStates(db);
  // Windows that end in the first month began before it.
  const { booked, extras } = await listForMeter(db, after(first, -366 * DAY));
  const offered = await countOffered(db, first, now);
  const figures = new Map(months.map((month) => [month, emptyMonth(month)]));
  const add = (at: Date, field: Exclude<keyof MeterMonth, "month">, amount: number) => {
    const month = figures.get(monthOf(at));
    if (month) month[field] += amount;
  };
  const byUser = Map.groupBy(booked, ({ userId }) => userId);
  for (const stretch of promised) {
    if (states.get(stretch.userId) === deleted) continue;
    const mine = byUser.get(stretch.userId) ?? [];
    const extrasOfUser = extras.filter(({ userId }) => userId === stretch.userId);
    const entitlement = { promise: stretch.promise, since: stretch.startsAt };
    const begin = stretch.startsAt > first ? stretch.startsAt : windowAt(entitlement, first).startsAt;
    for (let at = begin; at <= now && (!stretch.endsAt || at < stretch.endsAt); ) {
      const { window, own } = leftAt(entitlement, mine, extrasOfUser, at);
      add(window.startsAt, "owed", stretch.promise.sessions);
      const isWhole = window.endsAt <= now && (!stretch.endsAt || window.endsAt <= stretch.endsAt);
      if (isWhole) add(window.endsAt, "expired", own);
      at = window.endsAt;
    }
  }
  for (const { startsAt, state } of booked) {
    if (state !== "cancelled") add(startsAt, "booked", 1);
    if (state === "held") add(startsAt, "held", 1);
    if (state === "missed-by-coach") add(startsAt, "missedByUs", 1);
  }
  for (const { createdAt } of extras) add(createdAt, "returned", 1);
  for (const { date, sessions } of offered) add(new Date(`${date}T00:00:00Z`), "offered", sessions);
  return months.flatMap((month) => figures.get(month) ?? []);
}

export async function lookAhead(db: Db, now: Date): Promise<CoachingAhead> {
  const promised = await listPromised(db);
  const states = await listAccountStates(db);
  const { booked, extras } = await listForMeter(db, after(now, -366 * DAY));
  const byUser = Map.groupBy(booked, ({ userId }) => userId);
  const students = promised.filter((stretch) => {
    const { userId, startsAt: since, endsAt, promise } = stretch;
    const isNow = since <= now && (!endsAt || endsAt > now);
    if (!isNow || states.get(userId) !== "active") return false;
    const mine = byUser.get(userId) ?? [];
    if (mine.some(({ state, startsAt }) => state === "booked" && startsAt > now)) return false;
    const extrasOfUser = extras.filter((extra) => extra.userId === userId);
    const entitlement = { promise, since };
    const next = windowAt(entitlement, now).endsAt;
    const last = after(now, latestAhead);
    const times = next < last && (!endsAt || next < endsAt) ? [now, next] : [now];
    return times.some((at) => {
      const { own, extra } = leftAt(entitlement, mine, extrasOfUser, at);
      return own + extra > 0;
    });
  }).length;
  const slots = students === 0 && promised.length === 0 ? 0 : await countFree(db, now);
  return { students, slots, unserved: Math.max(0, students - slots) };
}

export const countOffersJob = defineJob("count-coaching-offers", z.object({}));

/** Days that no job counted are counted by the hours of now. */
const countedBack = 62;

export async function countOffers(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await scheduleOfferCount(ctx.db, after(now, DAY), now);
  const minutes = await shortestPromise(ctx.db);
  if (minutes === null) return;
  const coaches = await listActiveCoaches(ctx.db);
  const schedules = await listSchedules(ctx.db, coaches);
  const [last] = await ctx.db
    .select({ date: coachingOffers.date })
    .from(coachingOffers)
    .orderBy(desc(coachingOffers.date))
    .limit(1);
  for (let back = countedBack; back >= 1; back--) {
    const startsAt = startOfDay(after(now, -back * DAY));
    const date = dayOf(startsAt);
    if (last ? date <= last.date : back > 1) continue;
    const rows = coaches.flatMap(({ userId: coachId, createdAt }) => {
      const schedule = schedules.get(coachId);
      const range = { startsAt, endsAt: after(startsAt, DAY) };
      if (!schedule || createdAt >= range.endsAt) return [];
      return [{ date, coachId, sessions: sessionsOf(schedule, minutes, range).length }];
    });
    if (rows.length > 0) await ctx.db.insert(coachingOffers).values(rows).onConflictDoNothing();
  }
}

export async function scheduleOfferCount(db: Db, runAt: Date, now: Date): Promise<void> {
  await scheduleJob(db, countOffersJob, { data: {}, key: dayOf(runAt), runAt, now });
}

/** By the purchases, or by the plan of today. */
async function listPromised(db: Db): Promise<Promised[]> {
  const all: Promised[] = [];
  for (const tier of tiers) {
    const onSale = await promiseOnSale(db, tier);
    const stretches = [...(await listStretches(db, tier))].flatMap(([userId, each]) =>
      each.map((stretch) => ({ ...stretch, userId })),
    );
    const recorded = await listPromises(
      db,
      stretches.flatMap(({ purchaseId }) => purchaseId ?? []),
    );
    for (const stretch of stretches) {
      const promise = recorded.get(stretch.purchaseId ?? "") ?? onSale;
      if (promise.sessions > 0) all.push({ ...stretch, promise });
    }
  }
  return all;
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

/** Null when no plan comes with any. */
async function shortestPromise(db: Db): Promise<number | null> {
  const promises: CoachingPromise[] = [];
  for (const tier of tiers) promises.push(await promiseOnSale(db, tier));
  const lengths = promises.filter(({ sessions }) => sessions > 0).map(({ minutes }) => minutes);
  return lengths.length > 0 ? Math.min(...lengths) : null;
}

/** Past days as they were counted, the rest of this month by the hours of now. */
async function countOffered(db: Db, since: Date, now: Date): Promise<{ date: string; sessions: number }[]> {
  const past = await db
    .select({ date: coachingOffers.date, sessions: coachingOffers.sessions })
    .from(coachingOffers)
    .where(gte(coachingOffers.date, dayOf(since)));
  const minutes = await shortestPromise(db);
  if (minutes === null) return past;
  const today = startOfDay(now);
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const coaches = await listActiveCoaches(db);
  const rest = [...(await listSchedules(db, coaches)).values()].map((schedule) => ({
    date: dayOf(today),
    sessions: sessionsOf(schedule, minutes, { startsAt: today, endsAt: end }).length,
  }));
  return [...past, ...rest];
}

function emptyMonth(month: string): MeterMonth {
  return { month, owed: 0, offered: 0, booked: 0, held: 0, missedByUs: 0, returned: 0, expired: 0 };
}

function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}

function monthBack(now: Date, back: number): string {
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)));
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function startOfDay(instant: Date): Date {
  return new Date(`${dayOf(instant)}T00:00:00Z`);
}
