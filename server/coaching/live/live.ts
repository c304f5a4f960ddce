import { eq } from "drizzle-orm";
import { z } from "zod";
import type * as contract from "#contract/admin/coaching.ts";
import type { LiveSession } from "#contract/coaching/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import { ownTierInUse, tierInUse } from "#server/access/access.ts";
import { audited, differences } from "#server/audit/audit.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail, type StudentEmail } from "#server/mail/student-emails.ts";
import type { CoachRow, LiveRow } from "../queries.ts";
import { listTaken } from "../queries.ts";
import { joinable, opensAt, withoutAddress } from "../rules.ts";
import { coaches, liveSessions } from "../tables.ts";
import {
  type AboutLive,
  type LiveFacts,
  liveCancelledEmail,
  liveChangedEmail,
  liveHandedOverEmail,
  liveRecordedEmail,
  liveScheduledEmail,
} from "./emails.ts";
import { findLive, findSeat, type LiveWithCoach, listComers, listOnTier, lockLive, type SeatRow } from "./queries.ts";
import { getLive, remindOfLive } from "./seats.ts";

interface LiveText {
  readonly title: string;
  readonly about: string;
  readonly coachId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly requiredTier: Tier;
  readonly seats: number | null;
  readonly meetingUrl: string | null;
}

export interface LiveTarget {
  readonly id: string;
  /** Of the session that the change was made from. */
  readonly version?: string | undefined;
}

/** Of what administrators write of a session. */
export function liveVersionOf(session: LiveRow): string {
  const { title, about, coachId, startsAt, endsAt, requiredTier, seats, meetingUrl } = session;
  const { recordingVideoId, recordingSeconds } = session;
  return versionOf({
    ...{ title, about, coachId, startsAt, endsAt, requiredTier, seats, meetingUrl },
    ...{ recordingVideoId, recordingSeconds },
  });
}

/** Emails every student whose tier includes it. @throws Refusal not-found, invalid-input, slot-taken. */
export async function scheduleLive(
  ctx: Context,
  actor: User,
  { reason, ...asked }: BodyOf<typeof contract.scheduleLive>,
): Promise<void> {
  const text = { ...timesOf(asked), meetingUrl: asked.meetingUrl };
  const id = newId();
  await audited(ctx, { actor, action: "schedule group session", subject: id, reason }, async (tx, now) => {
    const { userId } = await takeCoach(tx, text, now);
    const [session] = await tx
      .insert(liveSessions)
      .values({ id, ...text, room: newId(), createdAt: now })
      .returning();
    if (!session) throw new Error("an insert returned no row");
    const facts: AboutLive = { sessionId: id, sequence: session.sequence, userId, audience: "coach" };
    await postEmail(tx, liveScheduledEmail, { userId, occasion: id, facts }, now);
    await remindOfLive(tx, session, userId, "coach", now);
    await scheduleJob(tx, announceLiveJob, { data: { sessionId: id, afterId: "" }, key: id, runAt: now, now });
    await scheduleEnd(tx, session, now);
    return { after: withoutAddress(text) };
  });
}

/**
 * Emails students about another time or coach. A session keeps its own room unless the body names one.
 * @throws Refusal not-found, invalid-input, conflict, slot-taken.
 */
export async function changeLive(
  ctx: Context,
  actor: User,
  { id, version }: LiveTarget,
  { reason, ...asked }: BodyOf<typeof contract.changeLive>,
): Promise<void> {
  await audited(ctx, { actor, action: "change group session", subject: id, reason }, async (tx, now) => {
    const before = await lockLive(tx, id);
    requireVersion(version, liveVersionOf(before));
    if (before.state !== "scheduled" || before.endsAt <= now) {
      throw new Refusal("conflict", "This session is over or was cancelled.");
    }
    const { meetingUrl = before.meetingUrl } = asked;
    const text: LiveText = { ...timesOf(asked), meetingUrl };
    await takeCoach(tx, text, now, id);
    await rewrite(tx, before, text, now);
    const { title, about, coachId, startsAt, endsAt, requiredTier, seats } = before;
    const was = { title, about, coachId, startsAt, endsAt, requiredTier, seats, meetingUrl: before.meetingUrl };
    return differences(withoutAddress(was), withoutAddress(text));
  });
}

async function rewrite(tx: Db, before: LiveRow, text: LiveText, now: Date): Promise<void> {
  const { id } = before;
  const isMoved =
    before.startsAt.getTime() !== text.startsAt.getTime() ||
    before.endsAt.getTime() !== text.endsAt.getTime() ||
    before.coachId !== text.coachId;
  const sequence = before.sequence + (isMoved ? 1 : 0);
  await tx
    .update(liveSessions)
    .set({ ...text, sequence })
    .where(eq(liveSessions.id, id));
  if (!isMoved) return;
  const session = { ...before, ...text, sequence };
  const was = before.startsAt.toISOString();
  if (before.coachId !== session.coachId) {
    const { coachId } = before;
    const facts = { sessionId: id, sequence, userId: coachId, audience: "coach" as const, before: was, coachId };
    await postEmail(tx, liveHandedOverEmail, { userId: coachId, occasion: `${id}:${sequence}`, facts }, now);
  }
  for (const [userId, audience] of await everybodyAt(tx, session)) {
    const facts = { sessionId: id, sequence, userId, audience, before: was };
    await postEmail(tx, liveChangedEmail, { userId, occasion: `${id}:${sequence}`, facts }, now);
    await remindOfLive(tx, session, userId, audience, now);
  }
  await scheduleEnd(tx, session, now);
}

function timesOf({
  startsAt,
  minutes,
  ...text
}: Omit<BodyOf<typeof contract.changeLive>, "reason">): Omit<LiveText, "meetingUrl"> {
  const begin = new Date(startsAt);
  const { title, about, coachId, requiredTier, seats } = text;
  return { title, about, coachId, requiredTier, seats, startsAt: begin, endsAt: after(begin, minutes * MINUTE) };
}

/** Emails its coach and the students with a seat. @throws Refusal not-found, conflict. */
export async function cancelLive(ctx: Context, actor: User, id: string, reason: string): Promise<void> {
  await audited(ctx, { actor, action: "cancel group session", subject: id, reason }, async (tx, now) => {
    const { state, title } = await cancelLiveIn(tx, id, now);
    return { before: { state, title }, after: { state: "cancelled", title } };
  });
}

/** As `cancelLive`, for the academy itself. Returns the session as it was before. */
export async function cancelLiveIn(tx: Db, id: string, now: Date): Promise<LiveRow> {
  const before = await lockLive(tx, id);
  if (before.state !== "scheduled")
    throw new Refusal("conflict", "This session is over or has already been cancelled.");
  const sequence = before.sequence + 1;
  await tx.update(liveSessions).set({ state: "cancelled", sequence }).where(eq(liveSessions.id, id));
  await emailAll(tx, liveCancelledEmail, { ...before, sequence }, `${id}:${sequence}`, now);
  return before;
}

/** Emails the students who had a seat. @throws Refusal not-found, conflict. */
export async function recordLive(
  ctx: Context,
  actor: User,
  { id, version }: LiveTarget,
  { videoId, seconds, reason }: BodyOf<typeof contract.recordLive>,
): Promise<void> {
  await audited(ctx, { actor, action: "add recording", subject: id, reason }, async (tx, now) => {
    const before = await lockLive(tx, id);
    requireVersion(version, liveVersionOf(before));
    if (before.state === "cancelled" || before.endsAt > now) {
      throw new Refusal("conflict", "You can add a recording once the session is over.");
    }
    await tx
      .update(liveSessions)
      .set({ recordingVideoId: videoId, recordingSeconds: seconds, state: "held" })
      .where(eq(liveSessions.id, id));
    await emailAll(tx, liveRecordedEmail, before, `${id}:${videoId}`, now);
    return { before: { recordingVideoId: before.recordingVideoId }, after: { recordingVideoId: videoId } };
  });
  // Their policy lets the video in.
  await waitForPages();
}

/** One page of students for each run. */
export const announceLiveJob = defineJob("announce-live", z.object({ sessionId: z.string(), afterId: z.string() }));
const announcedAtOnce = 500;

export async function announceLive(ctx: Context, { sessionId, afterId }: { sessionId: string; afterId: string }) {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const found = await findLive(tx, sessionId);
    if (found?.session.state !== "scheduled" || found.session.startsAt <= now) return;
    const { sequence, requiredTier } = found.session;
    const students = await listOnTier(tx, requiredTier, afterId, announcedAtOnce);
    for (const userId of students) {
      const facts: AboutLive = { sessionId, sequence, userId, audience: "student" };
      await postEmail(tx, liveScheduledEmail, { userId, occasion: sessionId, facts }, now);
    }
    const last = students.at(-1);
    if (students.length < announcedAtOnce || !last) return;
    const data = { sessionId, afterId: last };
    await scheduleJob(tx, announceLiveJob, { data, key: `${sessionId}:${last}`, runAt: now, now });
  });
}

export const endLiveJob = defineJob("end-live", z.object({ sessionId: z.string(), sequence: z.int() }));

export async function endLive(ctx: Context, { sessionId, sequence }: { sessionId: string; sequence: number }) {
  await ctx.db.transaction(async (tx) => {
    const session = await lockLive(tx, sessionId);
    if (session.state !== "scheduled" || session.sequence !== sequence) return;
    await tx.update(liveSessions).set({ state: "held" }).where(eq(liveSessions.id, sessionId));
  });
}

async function scheduleEnd(tx: Db, { id, sequence, endsAt }: LiveRow, now: Date): Promise<void> {
  const data = { sessionId: id, sequence };
  await scheduleJob(tx, endLiveJob, { data, key: `${id}:${sequence}`, runAt: endsAt, now });
}

/** Emails the coach and the students with a seat. */
async function emailAll(
  tx: Db,
  email: StudentEmail<AboutLive, LiveFacts>,
  session: LiveRow,
  occasion: string,
  now: Date,
): Promise<void> {
  const { id: sessionId, sequence } = session;
  for (const [userId, audience] of await everybodyAt(tx, session)) {
    await postEmail(tx, email, { userId, occasion, facts: { sessionId, sequence, userId, audience } }, now);
  }
}

async function everybodyAt(tx: Db, { id, coachId }: LiveRow): Promise<[string, "student" | "coach"][]> {
  const comers = (await listComers(tx, id)).filter((userId) => userId !== coachId);
  return [...comers.map((userId): [string, "student"] => [userId, "student"]), [coachId, "coach"]];
}

/** Locks the coach's row, as bookings do, so that no student books the coach meanwhile. */
async function takeCoach(tx: Db, text: LiveText, now: Date, exceptId?: string): Promise<CoachRow> {
  const wrong =
    text.startsAt <= now ? "Is in the past" : text.startsAt > after(now, farthest) ? "Is too far away" : null;
  if (wrong) throw invalidFields({ startsAt: [wrong] });
  const [coach] = await tx.select().from(coaches).where(eq(coaches.userId, text.coachId)).for("update");
  if (!coach?.isActive) throw notFound("coach");
  const [taken] = await listTaken(tx, [coach.userId], text, exceptId);
  if (!taken) return coach;
  throw new Refusal(
    "slot-taken",
    `${coach.displayName} has a session then: ${timeInZone(taken.startsAt, coach.timeZone, now)}.`,
  );
}

const farthest = 2 * 365 * 24 * 3_600_000;

interface Viewer {
  readonly tier: Tier | null;
  /** Without what the team may see, which takes no seats. */
  readonly ownTier: Tier | null;
  readonly now: Date;
}

/** Does not contain the meeting's URL. */
export function presentLive(
  { session, coach, coming }: LiveWithCoach,
  seat: SeatRow | undefined,
  viewer: Viewer,
): LiveSession {
  const { id, title, about, requiredTier, state, seats, startsAt, endsAt } = session;
  const isUnlocked = tierOpens(viewer.tier, requiredTier);
  const isInvited = tierOpens(viewer.ownTier, requiredTier);
  const isComing = seat?.state === "taken";
  return {
    ...{ id, title, about, requiredTier, state, seats, isUnlocked, isComing },
    coach: { id: coach.publicId, name: coach.displayName, timeZone: coach.timeZone },
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    seatsLeft: seats === null ? null : Math.max(0, seats - coming),
    question: isComing ? seat.question : null,
    opensAt: opensAt(session).toISOString(),
    maySit:
      isInvited && state === "scheduled" && startsAt > viewer.now && (isComing || seats === null || coming < seats),
    mayJoin: isInvited && state === "scheduled" && joinable(session, viewer.now) === "now",
    hasRecording: session.recordingVideoId !== null,
  };
}

/** @throws Refusal not-found. */
export async function describeLive(ctx: Context, user: User, sessionId: string): Promise<LiveSession> {
  const found = await getLive(ctx.db, sessionId);
  const seat = await findSeat(ctx.db, sessionId, user.id);
  const [tier, ownTier] = await Promise.all([tierInUse(ctx, user), ownTierInUse(ctx, user)]);
  const viewer = { tier, ownTier, now: ctx.clock.now() };
  return presentLive(found, seat ?? undefined, viewer);
}
