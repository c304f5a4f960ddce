import type { Context } from "#server/context/context.ts";
import { idFor } from "#server/db/id.ts";
import {
  composeAdministratorEmail,
  emailAdministratorJob,
  type Ordered,
} from "#server/identity/administrator-emails.ts";
import { scheduleJobs } from "#server/jobs/jobs.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { readUnpaidReport } from "./unpaid-report.ts";

/** One job for each, so that a refused address does not delay the others. */
export async function addressAdministrators(ctx: Context, email: Ordered): Promise<void> {
  const now = ctx.clock.now();
  const requests = ctx.administratorEmails.map((to) => {
    const id = idFor(email.id, to);
    return { data: { ...email, id, to }, key: id, runAt: now, now };
  });
  await scheduleJobs(ctx.db, emailAdministratorJob, requests);
}

export async function emailAdministrator(ctx: Context, { to, ...ordered }: Ordered & { to: string }): Promise<void> {
  const email =
    ordered.kind === "renewals-unpaid"
      ? { kind: ordered.kind, facts: await readUnpaidReport(ctx.db, ctx.clock.now()) }
      : ordered;
  if (email.kind === "renewals-unpaid" && email.facts.count === 0) return;
  await ctx.mail.send({ to, ...composeAdministratorEmail(email, await describeAcademy(ctx)) }, ordered.id);
}
