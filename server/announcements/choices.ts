import { and, asc, eq, sql } from "drizzle-orm";
import type { AnnouncementChoice, chooseAnnouncements } from "#contract/announcements.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { containsAddress } from "#server/db/email-addresses.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { type EmailTopic, forgetSentEmails, type MailContext } from "#server/mail/student-emails.ts";
import { announcementBatches } from "./queries.ts";
import { forgetSelections } from "./selections.ts";
import { announcementChoices, announcementRecipients, announcements } from "./tables.ts";

/** The `kind` in the list of sent emails. */
export const announcementKind = "announcement";

/** What a link in an email can turn off. */
export type Topic = keyof AnnouncementChoice;

const { wanted, answers } = announcementChoices;
const columns = { wanted, answers };

export async function findChoice(db: Db, userId: string): Promise<AnnouncementChoice> {
  const [row] = await db.select(columns).from(announcementChoices).where(eq(announcementChoices.userId, userId));
  return row ?? { wanted: true, answers: true };
}

export async function choose(
  db: Db,
  userId: string,
  choice: BodyOf<typeof chooseAnnouncements>,
  now: Date,
): Promise<AnnouncementChoice> {
  const set = { ...choice, updatedAt: now };
  await db
    .insert(announcementChoices)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: announcementChoices.userId, set });
  return findChoice(db, userId);
}

/** The person's choice, and the token for the links that unsubscribe. */
export async function takeToken(db: Db, userId: string, now: Date): Promise<AnnouncementChoice & { token: string }> {
  const [row] = await db
    .insert(announcementChoices)
    .values({ userId, updatedAt: now })
    // A no-op, so that an existing row is returned too.
    .onConflictDoUpdate({ target: announcementChoices.userId, set: { userId: sql`excluded.user_id` } })
    .returning({ ...columns, token: announcementChoices.token });
  if (!row) throw new Error("a choice was not kept");
  return row;
}

export function unsubscribeUrl(publicUrl: string, token: string, topic: Topic): string {
  return publicUrl + unsubscribePath(topic).replace(":token", token);
}

export function unsubscribePath(topic: Topic): string {
  return topic === "wanted" ? "/unsubscribe/:token" : `/unsubscribe/:token/${topic}`;
}

/** For emails of a topic. Null when the person turned it off. */
export async function findUnsubscribeUrl(
  { db, site }: MailContext,
  userId: string,
  topic: EmailTopic,
  now: Date,
): Promise<string | null> {
  const choice = await takeToken(db, userId, now);
  return choice[topic] ? unsubscribeUrl(site.publicUrl, choice.token, topic) : null;
}

/** Null when no person has this token. */
export async function findChoiceByToken(db: Db, token: string): Promise<AnnouncementChoice | null> {
  const [row] = await db.select(columns).from(announcementChoices).where(eq(announcementChoices.token, token));
  return row ?? null;
}

/** False when no person has this token. Safe to repeat. */
export async function unsubscribe(db: Db, token: string, topic: Topic, now: Date): Promise<boolean> {
  if (!(await findChoiceByToken(db, token))) return false;
  await db
    .update(announcementChoices)
    .set({ [topic]: false, updatedAt: now })
    .where(and(eq(announcementChoices.token, token), columns[topic]));
  return true;
}

/** For the person's own export: their choice, and the announcements that they were sent. */
export async function listAnnouncementsOf(db: Db, userId: string) {
  const sent = await db
    .select({ subject: announcements.subject, text: announcements.text, sentAt: announcementRecipients.closedAt })
    .from(announcementRecipients)
    .innerJoin(announcements, eq(announcements.id, announcementRecipients.announcementId))
    .where(and(eq(announcementRecipients.userId, userId), eq(announcementRecipients.outcome, "sent")))
    .orderBy(asc(announcementRecipients.closedAt));
  return { ...(await findChoice(db, userId)), sent };
}

export async function forgetAnnouncements(tx: Db, userId: string): Promise<void> {
  await announcementBatches.forget(tx, userId);
  await forgetSelections(tx, userId);
  await tx.delete(announcementChoices).where(eq(announcementChoices.userId, userId));
  await forgetSentEmails(tx, userId, [announcementKind]);
}

/** Replaces what audiences search for where it contains the address as a whole. */
export async function forgetSearches(tx: Db, address: string): Promise<void> {
  const encoded = new URLSearchParams([["", address]]).toString().slice(1);
  await tx
    .update(announcements)
    .set({ audience: sql`regexp_replace(${announcements.audience}, '([:&]search=)[^&]*', '\\1%28deleted%29')` })
    .where(containsAddress(sql`translate(${announcements.audience}, '+=&', '   ')`, encoded));
}

/** As long as entries of the list of sent emails. */
export const recipientRetention: RetentionRule = {
  table: announcementRecipients,
  from: announcementRecipients.closedAt,
  keptFor: 1096 * DAY,
};
