import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { EmailTexts } from "#contract/email-texts.ts";
import type { PlanNames } from "#contract/tiers.ts";
import { type Clock, DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { publishedEmailTexts } from "#server/settings/email-texts.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { type Say, sayFor, type WordedKind } from "./email-texts.ts";
import { renderEmail } from "./layout.ts";
import type { CalendarPart, Mail } from "./mail.ts";
import { sentEmails } from "./tables.ts";
import type { Reader, WrittenEmail } from "./wording.ts";

export interface MailContext {
  readonly db: Db;
  readonly mail: Mail;
  readonly clock: Clock;
  readonly site: { readonly publicUrl: string; readonly configuredSupportEmail: string };
}

/** What students can turn off. Its words are in the link that does. */
const topics = {
  wanted: "Unsubscribe from news and reminders",
  answers: "Unsubscribe from answers to your questions",
} as const;
export type EmailTopic = keyof typeof topics;

/** A student, with what emails call the plans. */
export interface StudentReader extends Reader {
  readonly planNames: PlanNames;
}

/**
 * A kind of email to students. Its facts are the data of a job, so timestamps may be ISO texts.
 * `Kind`: the one in `builtInEmails`, if its texts are there.
 */
export interface StudentEmail<Facts, Late extends object = object, Kind extends WordedKind = never> {
  readonly kind: [Kind] extends [never] ? string : Kind;
  /** Only for those who did not turn it off. The email and its header have a link that does. */
  readonly topic?: EmailTopic;
  /** Pure. */
  readonly write: (facts: Facts & Late, reader: StudentReader, say: Say<Kind>) => WrittenEmail;
  /**
   * Adds facts that no job may store, such as a link that works without sign-in, and the `calendar` part. Null: the
   * email is obsolete.
   */
  readonly prepare?: (ctx: MailContext, facts: Facts, now: Date, to: string) => Promise<Late | null>;
  /** Whether the person asked for this one, so that it reaches them although they turned the topic off. */
  readonly isAskedFor?: (facts: Facts & Late) => boolean;
  /** In the transaction that records it as sent. */
  readonly onSent?: (tx: Db, facts: Facts) => Promise<void>;
  /** An email that is delayed past this instant is not sent. */
  readonly sendBefore?: (facts: Facts & Late) => Date;
}

/** Schedules an email in the transaction. It is sent once per kind and `occasion`. */
export async function postEmail<Facts, Late extends object>(
  tx: Db,
  email: StudentEmail<Facts, Late>,
  {
    userId,
    occasion,
    facts,
    sendAt,
  }: { readonly userId: string; readonly occasion: string; readonly facts: Facts; readonly sendAt?: Date },
  now: Date,
): Promise<void> {
  const { kind } = email;
  const id = idFor(kind, userId, occasion);
  const data: PostedEmail = { id, kind, userId, facts };
  await scheduleJob(tx, sendEmailJob, { data, key: id, runAt: sendAt ?? now, now });
}

const PostedEmail = z.object({ id: z.string(), kind: z.string(), userId: z.string(), facts: z.unknown() });
export type PostedEmail = z.infer<typeof PostedEmail>;

export const sendEmailJob = defineJob("send-email", PostedEmail, { lane: "mail" });

/** Without the type of the facts, which `postEmail` has checked. */
interface AnyStudentEmail {
  readonly kind: string;
  readonly topic?: EmailTopic;
  readonly write: (facts: never, reader: StudentReader, say: never) => WrittenEmail;
  readonly prepare?: (ctx: MailContext, facts: never, now: Date, to: string) => Promise<object | null>;
  readonly isAskedFor?: (facts: never) => boolean;
  readonly onSent?: (tx: Db, facts: never) => Promise<void>;
  readonly sendBefore?: (facts: never) => Date;
}

export type SendEmail = (ctx: MailContext, posted: PostedEmail, jobId: string, hasFailed: boolean) => Promise<void>;

/** As long as claims may be brought. An email whose row is deleted could be sent again. */
export const emailRetention: RetentionRule = { table: sentEmails, from: sentEmails.sentAt, keptFor: 1096 * DAY };

/**
 * A process that dies before it records an email sends it twice, under one Message-ID, which mail systems
 * deduplicate.
 * @param findUnsubscribeUrl null when the person turned the topic off
 */
export function emailSender(
  kinds: Readonly<Record<string, AnyStudentEmail>>,
  findAddressee: (
    db: Db,
    userId: string,
  ) => Promise<({ readonly email: string } & Omit<StudentReader, "academy">) | null>,
  findUnsubscribeUrl: (ctx: MailContext, userId: string, topic: EmailTopic, now: Date) => Promise<string | null>,
): SendEmail {
  return async (ctx, { id, kind, userId, facts }, _jobId, hasFailed) => {
    const [sent] = await ctx.db.select().from(sentEmails).where(eq(sentEmails.id, id));
    const addressee = await findAddressee(ctx.db, userId);
    if (sent || !addressee) return;
    const email = kinds[kind];
    if (!email) throw new Error(`no email to students is of the kind ${kind}`);
    const now = ctx.clock.now();
    const known = facts as object as never;
    const late = email.prepare ? await email.prepare(ctx, known, now, addressee.email) : {};
    if (late === null) return;
    const all = { ...(known as object), ...late } as never;
    const isPunctual = ctx.clock.jumps === true && !hasFailed;
    if (!isPunctual && email.sendBefore && email.sendBefore(all) <= now) return;
    const unsubscribeUrl = email.topic ? await findUnsubscribeUrl(ctx, userId, email.topic, now) : undefined;
    if (unsubscribeUrl === null && !email.isAskedFor?.(all)) return;
    const reader = { ...addressee, academy: await describeAcademy(ctx) };
    const texts = await publishedEmailTexts(ctx.db, kind);
    const message = composeEmail(email, all, reader, { texts, unsubscribeUrl });
    const { calendar } = late as { readonly calendar?: CalendarPart };
    await ctx.mail.send({ ...message, to: addressee.email, ...(calendar && { calendar }) }, id);
    const record = { id, userId, kind, subject: message.subject, sentAt: now };
    const { onSent } = email;
    if (!onSent) return noteSentEmail(ctx.db, record);
    await ctx.db.transaction(async (tx) => {
      await noteSentEmail(tx, record);
      await onSent(tx, known);
    });
  };
}

interface Composition {
  /** As published. Absent: the built-in ones, which emails to coaches always have. */
  readonly texts?: EmailTexts;
  /** Of the email's topic. */
  readonly unsubscribeUrl?: string | null | undefined;
}

export function composeEmail(
  { kind, topic, write }: AnyStudentEmail,
  facts: never,
  reader: StudentReader,
  { texts, unsubscribeUrl }: Composition = {},
) {
  const { audience } = facts as { readonly audience?: string };
  const written = write(facts, reader, sayFor(kind, audience === "coach" ? undefined : texts) as never);
  if (!topic || !unsubscribeUrl) return renderEmail(written, reader);
  const otherLinks = [...(written.otherLinks ?? []), [topics[topic], unsubscribeUrl] as const];
  return { ...renderEmail({ ...written, otherLinks }, reader), unsubscribeUrl };
}

export async function noteSentEmail(db: Db, email: typeof sentEmails.$inferInsert): Promise<void> {
  await db.insert(sentEmails).values(email).onConflictDoNothing();
}

/** Deletes the records of emails of these kinds, whose subjects people wrote. */
export async function forgetSentEmails(tx: Db, userId: string, kinds: readonly string[]): Promise<void> {
  await tx.delete(sentEmails).where(and(eq(sentEmails.userId, userId), inArray(sentEmails.kind, [...kinds])));
}
