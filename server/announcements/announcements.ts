import { eq } from "drizzle-orm";
import { Temporal } from "temporal-polyfill";
import type { Page, Paging } from "#contract/admin/admin.ts";
import {
  type Announcement,
  type AnnouncementState,
  type AnnouncementText,
  type AudiencePage,
  canonicalAudience,
  type SendAt,
} from "#contract/admin/announcements.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { academyZone } from "#server/settings/settings.ts";
import { type Addressees, announcementBatches, readAudience, withSchedule } from "./queries.ts";
import { announcements } from "./tables.ts";

export type AnnouncementRow = typeof announcements.$inferSelect;

export async function describeAudience(ctx: Context, addressees: Addressees, page: Paging): Promise<AudiencePage> {
  const found = await readAudience(ctx, addressees, page);
  const { total = 0, unsubscribed = 0, unconfirmed = 0, suspended = 0, team = 0 } = found[0] ?? {};
  const rows = found.flatMap(({ id, firstName, lastName, email }) =>
    id === null ? [] : [{ id, name: [firstName, lastName].filter(Boolean).join(" ") || null, email }],
  );
  return { rows, total: page.after ? null : total, unsubscribed, unconfirmed, suspended, team };
}

export async function listAnnouncements(db: Db, page: Paging): Promise<Page<Announcement>> {
  const part = { ...page, table: announcements, id: announcements.id, key: announcements.createdAt, where: undefined };
  const { rows, total } = await selectPage(db, withSchedule(db).$dynamic(), part);
  const zone = await academyZone(db);
  return { rows: rows.map((found) => present(found, zone)), total };
}

/** @throws Refusal not-found. */
export async function describeAnnouncement(db: Db, id: string): Promise<Announcement> {
  const [found] = await withSchedule(db).where(eq(announcements.id, id));
  if (!found) throw notFound("announcement");
  return present(found, await academyZone(db));
}

interface Found {
  readonly row: AnnouncementRow;
  readonly lessonTitle: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
}

function present({ row, lessonTitle, startsAt, endsAt }: Found, zone: string): Announcement {
  const time = (text: string | null) => (row.state === "running" && text ? new Date(text).toISOString() : null);
  return {
    ...announcementBatches.progressOf(row),
    version: shownVersionOf(row),
    ...textOf(row),
    lessonTitle,
    failed: row.failed,
    startedAt: row.startedAt?.toISOString() ?? null,
    sendAt: sendAtIn(zone, row),
    startsAt: row.state === "scheduled" ? (row.beginsAt?.toISOString() ?? null) : time(startsAt),
    endsAt: time(endsAt),
  };
}

/** On the academy's clock, the instant that was fixed, also when the academy has moved to this zone since. */
function sendAtIn(zone: string, { sendAt, beginsAt }: AnnouncementRow): SendAt | null {
  if (sendAt?.zone !== "academy" || !beginsAt) return sendAt;
  const at = Temporal.Instant.fromEpochMilliseconds(beginsAt.getTime()).toZonedDateTimeISO(zone);
  const time = at.toPlainTime().toString({ smallestUnit: "minute" });
  return { day: at.toPlainDate().toString(), time, zone: "academy" };
}

export function textOf({ subject, text, buttonLabel, buttonUrl, audience, toTeam }: AnnouncementRow): AnnouncementText {
  const button = buttonLabel && buttonUrl ? { label: buttonLabel, url: buttonUrl } : null;
  return { subject, text, button, audience: canonicalAudience(audience), toTeam };
}

export function columnsOf({ button, audience, ...text }: AnnouncementText) {
  return {
    ...text,
    audience: canonicalAudience(audience),
    buttonLabel: button?.label ?? null,
    buttonUrl: button?.url ?? null,
  };
}

/** @throws Refusal not-found, conflict. */
export async function lockDraft(
  tx: Db,
  id: string,
  allowed: readonly AnnouncementState[] = ["draft"],
): Promise<AnnouncementRow> {
  const row = await announcementBatches.lock(tx, id);
  if (allowed.includes(row.state)) return row;
  const why =
    row.state === "scheduled"
      ? "This announcement is scheduled. Cancel sending before you change it."
      : "This announcement has already been sent. Create a new one.";
  throw new Refusal("conflict", why);
}

const changedMeanwhile = "Someone changed this announcement after you opened it. Review it and try again.";

/** For actions on the version of a draft that was reviewed. @throws Refusal not-found, conflict. */
export async function lockDraftAsShown(
  tx: Db,
  id: string,
  version: string | undefined,
  allowed?: readonly AnnouncementState[],
): Promise<AnnouncementRow> {
  const row = await lockDraft(tx, id, allowed);
  requireVersion(version, shownVersionOf(row), changedMeanwhile);
  return row;
}

/** Another one while it is scheduled, so that nobody sends what they take for a draft, or schedules what was cancelled. */
function shownVersionOf(row: AnnouncementRow): string {
  return versionOf(row.state === "scheduled" ? { ...textOf(row), sendAt: row.sendAt } : textOf(row));
}
