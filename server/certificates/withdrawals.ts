import { z } from "zod";
import { HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { certificateWithdrawnEmail } from "./emails.ts";
import { forgetEndedWithdrawals, lockUntoldWithdrawals, updateCertificate } from "./queries.ts";

export const mailWithdrawalsJob = defineJob("mail-withdrawn-certificates", z.object({}), { lane: "mail" });

export async function scheduleWithdrawalMails(db: Db, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / HOUR) + 1) * HOUR);
  await scheduleJob(db, mailWithdrawalsJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

const mailsPerTurn = 100;

/** Emails students whose certificate lost its validity after a refund or dispute. */
export async function mailWithdrawals(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await scheduleWithdrawalMails(ctx.db, now);
  await forgetEndedWithdrawals(ctx.db);
  for (;;) {
    const handled = await ctx.db.transaction(async (tx) => {
      const untold = await lockUntoldWithdrawals(tx, mailsPerTurn);
      for (const { userId, code, withdrawnAt } of untold) {
        await tellWithdrawal(tx, { userId, code, withdrawnAt: withdrawnAt ?? now, reason: null }, now);
      }
      return untold.length;
    });
    if (handled < mailsPerTurn) return;
  }
}

interface Withdrawal {
  readonly userId: string;
  readonly code: string;
  readonly withdrawnAt: Date;
  /** The administrator's reason, or null after a refund or dispute. */
  readonly reason: string | null;
}

/** Once for each withdrawal. */
export async function tellWithdrawal(tx: Db, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { userId, code, withdrawnAt, reason } = withdrawal;
  await updateCertificate(tx, userId, { withdrawalToldAt: now });
  await recordEvent(tx, "certificate.withdrawn", { id: code, userId }, now);
  const facts = { code, reason, withdrawnAt: withdrawnAt.toISOString() };
  const occasion = `${code} ${facts.withdrawnAt}`;
  await postEmail(tx, certificateWithdrawnEmail, { userId, occasion, facts }, now);
}
