import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "./layout.ts";
import type { Mail, Message } from "./mail.ts";
import { sentEmails } from "./tables.ts";
import type { Reader, WrittenEmail } from "./wording.ts";

/** What writing to a student needs. */
export interface MailContext {
  readonly db: Db;
  readonly mail: Mail;
  readonly clock: Clock;
  readonly site: { readonly publicUrl: string; readonly supportEmail: string };
}

/** Its domain defines it. Timestamps may be ISO texts, so that the data of a job can be its facts. */
export interface StudentEmail<Facts, Late extends object = object> {
  readonly kind: string;
  /** Pure: the same facts make the same email. */
  readonly write: (reader: Reader, facts: Facts & Late) => WrittenEmail;
  /**
   * Facts that no job may carry, such as a link that works without sign-in: made when the email is sent, to the address
   * `to`. Null: there is nothing to say any more, and no email is sent.
   */
  readonly prepare?: (ctx: MailContext, facts: Facts, now: Date, to: string) => Promise<Late | null>;
}

/**
 * Has an email sent once this transaction commits, or at `sendAt`. `occasion` names its cause: the same kind is sent for it
 * once.
 */
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
/** The data of the job that sends an email. */
export type PostedEmail = z.infer<typeof PostedEmail>;

export const sendEmailJob = defineJob("send-email", PostedEmail, { lane: "mail" });
/** The release before this one scheduled it, and named the card page beside the facts. */
export const sendLetterJob = defineJob(
  "send-letter",
  PostedEmail.extend({ cardPageOf: z.string().optional() }).transform(({ cardPageOf, facts, ...posted }) => ({
    ...posted,
    facts: { ...(facts as object), ...(cardPageOf && { cardPageOf }) },
  })),
  { lane: "mail" },
);

/** A kind whose facts have no static type here; `postEmail` checked them. */
interface AnyStudentEmail {
  readonly kind: string;
  readonly write: (reader: Reader, facts: never) => WrittenEmail;
  readonly prepare?: (ctx: MailContext, facts: never, now: Date, to: string) => Promise<object | null>;
}

/** Sends what `postEmail` posted. */
export type SendEmail = (ctx: MailContext, posted: PostedEmail) => Promise<void>;

/**
 * Sends emails of these kinds. Each is noted afterwards and not sent again; should this process die in between, the
 * email that goes out twice carries the same Message-ID, by which mail systems recognise it.
 * @param findAddressee null for a student without a reachable address.
 */
export function emailSender(
  kinds: Readonly<Record<string, AnyStudentEmail>>,
  findAddressee: (db: Db, userId: string) => Promise<{ email: string; firstName: string | null } | null>,
): SendEmail {
  return async (ctx, { id, kind, userId, facts }) => {
    const [sent] = await ctx.db.select().from(sentEmails).where(eq(sentEmails.id, id));
    const addressee = await findAddressee(ctx.db, userId);
    if (sent || !addressee) return;
    const email = kinds[kind];
    if (!email) throw new Error(`no email to students is of the kind ${kind}`);
    const now = ctx.clock.now();
    const { publicUrl, supportEmail } = ctx.site;
    const known = facts as object as never;
    const late = email.prepare ? await email.prepare(ctx, known, now, addressee.email) : {};
    if (late === null) return;
    const all = { ...(known as object), ...late } as never;
    const message = composeEmail(email, { firstName: addressee.firstName, publicUrl, supportEmail }, all);
    await ctx.mail.send({ ...message, to: addressee.email }, id);
    await ctx.db
      .insert(sentEmails)
      .values({ id, userId, kind, subject: message.subject, sentAt: now })
      .onConflictDoNothing();
  };
}

/** The email as a message: subject, text and HTML. Pure. */
export function composeEmail<Facts>(
  email: { readonly write: (reader: Reader, facts: Facts) => WrittenEmail },
  reader: Reader,
  facts: Facts,
): Omit<Message, "to"> {
  const { subject, content, calendar } = email.write(reader, facts);
  return { subject, ...renderEmail(content), ...(calendar && { calendar }) };
}
