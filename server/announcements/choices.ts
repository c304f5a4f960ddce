import { and, asc, eq, sql } from "drizzle-orm";
import type { AnnouncementChoice } from "#contract/announcements.ts";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { forgetSentEmails } from "#server/mail/student-emails.ts";
import { announcementBatches } from "./queries.ts";
import { forgetSelections } from "./selections.ts";
import { announcementChoices, announcementRecipients, announcements } from "./tables.ts";

/** The `kind` in the list of sent emails. */
export const announcementKind = "announcement";

export async function findChoice(db: Db, userId: string): Promise<AnnouncementChoice> {
  const [row] = await db
    .select({ wanted: announcementChoices.wanted })
    .from(announcementChoices)
    .where(eq(announcementChoices.userId, userId));
  return row ?? { wanted: true };
}

export async function choose(db: Db, userId: string, wanted: boolean, now: Date): Promise<AnnouncementChoice> {
  await db
    .insert(announcementChoices)
    .values({ userId, wanted, updatedAt: now })
    .onConflictDoUpdate({ target: announcementChoices.userId, set: { wanted, updatedAt: now } });
  return { wanted };
}

/** The person's choice, and the token for the link that unsubscribes. */
export async function takeToken(db: Db, userId: string, now: Date): Promise<{ wanted: boolean; token: string }> {
  const [row] = await db
    .insert(announcementChoices)
    .values({ userId, updatedAt: now })
    // A no-op, so that an existing row is returned too.
    .onConflictDoUpdate({ target: announcementChoices.userId, set: { userId: sql`excluded.user_id` } })
    .returning({ wanted: announcementChoices.wanted, token: announcementChoices.token });
  if (!row) throw new Error("a choice was not kept");
  return row;
}

export function unsubscribeUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/unsubscribe/${token}`;
}

/** Null when no person has this token. */
export async function findChoiceByToken(db: Db, token: string): Promise<AnnouncementChoice | null> {
  const [row] = await db
    .select({ wanted: announcementChoices.wanted })
    .from(announcementChoices)
    .where(eq(announcementChoices.token, token));
  return row ?? null;
}

/** False when no person has this token. Safe to repeat. */
export async function unsubscribe(db: Db, token: string, now: Date): Promise<boolean> {
  if (!(await findChoiceByToken(db, token))) return false;
  await db
    .update(announcementChoices)
    .set({ wanted: false, updatedAt: now })
    .where(and(eq(announcementChoices.token, token), announcementChoices.wanted));
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

/** As long as entries of the list of sent emails. */
export const recipientRetention: RetentionRule = {
  table: announcementRecipients,
  from: announcementRecipients.closedAt,
  keptFor: 1096 * DAY,
};
