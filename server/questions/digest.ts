import { z } from "zod";
import { knownZone } from "#contract/coaching/times.ts";
import type { Role } from "#contract/roles.ts";
import { MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { findOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { countWaiting } from "./admin-queries.ts";
import { questionsWaitingEmail } from "./emails.ts";

export const mailQuestionDigestJob = defineJob("mail-question-digest", z.object({}), { lane: "mail" });

/** Full hours of zones that are half an hour off are met, too. */
const every = 30 * MINUTE;
/** Its value is the academy's day of the last digest. */
const name = "question-digest";

/** Schedules the next look at the clock: hour and zone are settings, and a day may lack an hour. */
export async function scheduleQuestionDigest(db: Db, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / every) + 1) * every);
  await scheduleJob(db, mailQuestionDigestJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/** Once a day, from the hour on, to all who may answer. Nothing while no question is open. */
export async function mailQuestionDigest(
  ctx: Context,
  listWhoMayAnswer: () => Promise<readonly { readonly userId: string; readonly role: Role }[]>,
): Promise<void> {
  const now = ctx.clock.now();
  await scheduleQuestionDigest(ctx.db, now);
  const { questionDigestHour, timeZone } = await currentSettings(ctx.db);
  const { day, hour } = inZone(now, knownZone(timeZone));
  if (questionDigestHour === null || hour < questionDigestHour) return;
  const people = await listWhoMayAnswer();
  await ctx.db.transaction(async (tx) => {
    if ((await findOperationalMark(tx, name))?.value === day) return;
    await recordOperationalMark(tx, name, day, now);
    const { unanswered, reported } = await countWaiting(tx);
    if (unanswered + reported === 0) return;
    for (const { userId, role } of people) {
      const facts = { isCoach: role === "coach" };
      await postEmail(tx, questionsWaitingEmail, { userId, occasion: day, facts }, now);
    }
  });
}

function inZone(instant: Date, timeZone: string): { day: string; hour: number } {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" } as const;
  const [day = "", hour = ""] = new Intl.DateTimeFormat("sv-SE", { ...parts, timeZone }).format(instant).split(" ");
  return { day, hour: Number(hour) };
}
