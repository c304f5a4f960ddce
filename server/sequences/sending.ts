import { eq } from "drizzle-orm";
import { z } from "zod";
import { type SequenceName, sequenceNames } from "#contract/admin/sequences.ts";
import { knownZone } from "#contract/coaching/times.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import { findZone } from "#server/coaching/calendars.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { lockUser } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { WordedKind } from "#server/mail/email-texts.ts";
import { type MailContext, postEmail, type StudentEmail } from "#server/mail/student-emails.ts";
import { academyZone } from "#server/settings/settings.ts";
import { findRenewalStops, type RenewalStops } from "#server/subscriptions/renewal-stops.ts";
import { type Asking, deleteAnsweredRequests, deleteOldRequests } from "./audiences/queries.ts";
import { isControl } from "./control-group.ts";
import { type DuePerson, type DueStep, listDue, listZones, type OpenZones, settleEmails } from "./queries.ts";
import { isInHours, spanOf } from "./rules.ts";
import { sequences } from "./sequences.ts";
import { type SwitchedSequences, switchedSequences } from "./settings.ts";
import { sequenceEmails } from "./tables.ts";

export { listSequenceEmailsOf } from "./queries.ts";

export const runSequencesJob = defineJob("run-sequences", z.object({}), { lane: "mail" });

/** At the next full hour. */
export async function scheduleSequences(db: Db, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / HOUR) + 1) * HOUR);
  await scheduleJob(db, runSequencesJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

export async function runSequences(ctx: Context): Promise<void> {
  await scheduleSequences(ctx.db, ctx.clock.now());
  await settleEmails(ctx.db, ctx.clock.now());
  await decideDue(ctx, sequenceNames);
}

/** When lessons open, for those who may be written to now. The others get their email from the hourly run. */
export async function mailOpenings(ctx: Context): Promise<void> {
  await decideDue(ctx, ["new-lesson"]);
}

const peoplePerPage = 2000;
/** Milliseconds between two emails, as of announcements. */
const pace = 200;
/** The next run goes on. */
const emailsPerRun = HOUR / pace;

async function decideDue(ctx: Context, names: readonly SequenceName[]): Promise<void> {
  const { db, clock } = ctx;
  // A restored database does not know whom it has written to since the backup.
  const stops = await findRenewalStops(db);
  if (stops.restoredAt !== null) return;
  const now = clock.now();
  await deleteOldRequests(db, now);
  const bearings = await findBearings(db, stops);
  const zones = await openZones(db, await listZones(db), now);
  if (zones.known.length === 0 && !zones.others) return;
  let posted = 0;
  for (const due of names.flatMap((name) => stepsOf(name, bearings, { db, now, sending: "" }))) {
    let page: DuePerson[];
    let afterId = "";
    do {
      page = await listDue(db, due, { now, zones, afterId, limit: peoplePerPage });
      for (const person of page) {
        const sendAt = after(now, clock.jumps ? 0 : posted * pace);
        if (await decide(ctx, due, person, { now, zones, sendAt, controlPercent: bearings.controlPercent }))
          posted += 1;
        if (posted >= emailsPerRun) return;
      }
      afterId = page.at(-1)?.userId ?? "";
    } while (page.length === peoplePerPage);
  }
}

/** Those that can be due: of sequences that are on, and for the students who asked. */
function stepsOf(name: SequenceName, bearings: Bearings, asking: Asking): DueStep[] {
  const isOn = bearings.since[name] !== undefined || name === "new-lesson";
  return isOn ? sequences[name].delays.map((_, step) => dueStep(name, step, bearings, asking)) : [];
}

type Bearings = SwitchedSequences & { readonly restoredAt: Date | null };

async function findBearings(db: Db, { lastRestoredAt: restoredAt }: RenewalStops): Promise<Bearings> {
  return { ...(await switchedSequences(db)), restoredAt };
}

function dueStep(sequence: SequenceName, step: number, { since, restoredAt }: Bearings, asking: Asking): DueStep {
  const { audience, delays } = sequences[sequence];
  const span = spanOf(delays[step] ?? 0, since[sequence], restoredAt, asking.now);
  return { sequence, step, audience: audience(span, asking) };
}

async function openZones(db: Db, all: readonly string[], now: Date): Promise<OpenZones> {
  return {
    known: all.filter((zone) => isInHours(now, knownZone(zone))),
    others: isInHours(now, await academyZone(db)),
  };
}

interface Decision {
  readonly now: Date;
  readonly zones: OpenZones;
  readonly sendAt: Date;
  readonly controlPercent: number;
}

/**
 * Decides once per person, step and occasion, in their turn with purchases. Also the control group's are decided again
 * when they would be sent, so that both groups lose the same people.
 */
function decide(ctx: Context, due: DueStep, { userId, occasion }: DuePerson, decision: Decision): Promise<boolean> {
  const { sequence, step } = due;
  const { now, zones, sendAt, controlPercent } = decision;
  const { email } = sequences[sequence];
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const found = await listDue(tx, due, { now, zones, userId });
    const person = found.find((one) => one.occasion === occasion);
    if (!person) return false;
    const isLeftOut = !isAsked(person.facts) && isControl(userId, sequence, controlPercent);
    const post = { userId, occasion: `${step} ${occasion}` };
    const id = idFor(email.kind, userId, post.occasion);
    await tx
      .insert(sequenceEmails)
      .values({ id, userId, sequence, step, occasion, isControl: isLeftOut, decidedAt: now });
    await postEmail(tx, decidedAgain(email), { ...post, facts: { emailId: id }, sendAt }, now);
    return true;
  });
}

const isAsked = (facts: object) => "isAsked" in facts && facts.isAsked === true;

interface Posted {
  readonly emailId: string;
}

/** Every sequence's email is sent by this: it is decided again at the last moment, with facts of that moment. */
export function decidedAgain<Facts extends object, Kind extends WordedKind = never>(
  email: StudentEmail<Facts, object, Kind>,
): StudentEmail<Posted, Facts, Kind> {
  return {
    ...email,
    prepare: (ctx, { emailId }, now) => findStillDue<Facts>(ctx, emailId, now),
    isAskedFor: isAsked,
    onSent: (tx, { emailId }) => deleteAnsweredRequests(tx, emailId),
  };
}

/**
 * Takes turns with the student's payments: one that began before is seen, and one that begins later finds the email
 * decided. An email that is no longer due is forgotten, so that the next run may decide anew.
 */
async function findStillDue<Facts>(ctx: MailContext, emailId: string, now: Date): Promise<Facts | null> {
  const [row] = await ctx.db.select().from(sequenceEmails).where(eq(sequenceEmails.id, emailId));
  if (!row) return null;
  const { userId, sequence, step, occasion, isControl } = row;
  const zone = await findZone(ctx.db, userId);
  const zones = await openZones(ctx.db, zone === null ? [] : [zone], now);
  const bearings = await findBearings(ctx.db, await findRenewalStops(ctx.db));
  const complete = await sequences[sequence].completer?.(ctx, now);
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const due = dueStep(sequence, step, bearings, { db: tx, now, sending: emailId });
    const found = await listDue(tx, due, { now, zones, userId, sending: row });
    const facts = found.find((one) => one.occasion === occasion)?.facts;
    const all = facts && complete ? complete(facts as never) : facts;
    const isIt = eq(sequenceEmails.id, emailId);
    if (all) await tx.update(sequenceEmails).set({ decidedAt: now }).where(isIt);
    else await tx.delete(sequenceEmails).where(isIt);
    return all && !isControl ? ({ ...all, step } as Facts) : null;
  });
}

export async function forgetSequences(tx: Db, userId: string): Promise<void> {
  await tx.delete(sequenceEmails).where(eq(sequenceEmails.userId, userId));
}

/** As long as entries of the list of sent emails. */
export const sequenceRetention: RetentionRule = {
  table: sequenceEmails,
  from: sequenceEmails.decidedAt,
  keptFor: 1096 * DAY,
};
