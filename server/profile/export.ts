import type { Readable } from "node:stream";
import { listGrants } from "#server/access/access.ts";
import { listAnnouncementsOf } from "#server/announcements/choices.ts";
import { listAuditAbout } from "#server/audit/audit.ts";
import { HOUR } from "#server/base/clock.ts";
import { findCertificateOf } from "#server/certificates/certificates.ts";
import { exportChecks } from "#server/checks/personal-data.ts";
import { listCoachingOf } from "#server/coaching/forget.ts";
import { listMessagesFrom } from "#server/contact/contact.ts";
import type { Context } from "#server/context/context.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { listSessionsOf } from "#server/identity/sessions/session-list.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import { listTokensOf } from "#server/identity/tokens/tokens.ts";
import { presentUser } from "#server/identity/users.ts";
import { exportImported } from "#server/imports/claims.ts";
import { listOpeningRequestsOf } from "#server/lessons/openings.ts";
import { listNotesOf } from "#server/notes/notes.ts";
import { exportInvitations } from "#server/people/invitations.ts";
import { exportMailsTo } from "#server/people/people.ts";
import { findPlayerChoices } from "#server/progress/player-choices.ts";
import { listProgressOf } from "#server/progress/progress.ts";
import { exportQuestions } from "#server/questions/personal-data.ts";
import { listPaymentsOf } from "#server/receipts/receipts.ts";
import { listDownloadsOf } from "#server/resources/downloads/download-log.ts";
import { listSequenceEmailsOf } from "#server/sequences/sending.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { listUploadsOf } from "#server/studio/videos.ts";
import { listPurchasesOf, listSubscriptionRecords } from "#server/subscriptions/purchase-list.ts";
import { findProfileImage } from "./profile-image.ts";

const exports = {
  max: 5,
  window: HOUR,
  message: "You've downloaded your data several times. Please try again in an hour.",
};

/** A zip archive as a stream, with nothing of other people. @throws Refusal too-many-requests. */
export async function exportData(ctx: Context, signedIn: SignedIn): Promise<Readable> {
  const { user } = signedIn;
  const now = ctx.clock.now();
  await countUse(ctx.db, `export ${user.id}`, exports, now);
  const { profileVersion: _, needsSecondFactor: __, ...profile } = await presentUser(ctx, user);
  const files = {
    profile,
    purchases: await listPurchasesOf(ctx, user),
    subscriptions: await listSubscriptionRecords(ctx.db, user.id),
    payments: await listPaymentsOf(ctx, user.id),
    access: await listGrants(ctx.db, user.id),
    progress: await listProgressOf(ctx, user),
    notes: await listNotesOf(ctx.db, user.id),
    checks: await exportChecks(ctx.db, user.id),
    certificate: await findCertificateOf(ctx, user.id),
    questions: await exportQuestions(ctx.db, user.id),
    openings: await listOpeningRequestsOf(ctx.db, user.id),
    player: await findPlayerChoices(ctx.db, user.id),
    coaching: await listCoachingOf(ctx.db, user.id),
    downloads: await listDownloadsOf(ctx.db, user.id),
    // Messages from an unconfirmed address may be another person's.
    messages: user.emailVerified ? await listMessagesFrom(ctx.db, user.email) : [],
    announcements: await listAnnouncementsOf(ctx.db, user.id),
    sequences: await listSequenceEmailsOf(ctx.db, user.id),
    invitations: user.emailVerified ? await exportInvitations(ctx.db, user.email) : [],
    imported: await exportImported(ctx.db, user),
    mails: await exportMailsTo(ctx.db, user.id),
    videos: await listUploadsOf(ctx.db, user.id),
    tokens: await listTokensOf(ctx.db, user.id),
    sessions: await listSessionsOf(ctx, signedIn),
    administrators: await listAuditAbout(ctx.db, user.id),
  };
  const academy = await describeAcademy(ctx);
  const image = await findProfileImage(ctx, user);

  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const options = { mtime: now };
  zip.addBuffer(Buffer.from(readMe(academy.name, now)), "read-me.txt", options);
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), `${name}.json`, options);
  }
  if (image) zip.addReadStream(image.stream, "profile-image.webp", { ...options, compress: false, size: image.size });
  zip.end();
  return zip.outputStream as Readable;
}

function readMe(academyName: string, now: Date): string {
  return [
    `Everything that ${academyName} keeps about you, as of ${now.toISOString()}.`,
    "",
    "profile.json                 what you told us of yourself",
    "purchases.json               what you bought, or tried to buy",
    "subscriptions.json           what renews, or did: its state, its dates, and which card pays",
    "payments.json                what was charged, and what went back",
    "access.json                  what opened the course to you, from when until when, and why",
    "progress.json                what you watched of each lesson",
    "notes.json                   what you noted in lessons, and at which second",
    "checks.json                  what you answered in the checks of lessons, and which you passed",
    "certificate.json             your certificate: its code, its names, and what it says; null without one",
    "questions.json               what you asked and answered under lessons, found helpful and reported",
    "openings.json                the lessons whose opening you want to be told about",
    "player.json                  how you want lessons to play",
    "coaching.json                your coaching sessions, what you wrote for them, and their summaries",
    "downloads.json               which files of the course you downloaded, and when",
    "messages.json                what you wrote to us; empty while your address is not confirmed",
    "announcements.json           whether you want announcements by email, and those that were sent to you",
    "sequences.json               which automatic emails we sent you, or left out to compare (isControl), and when",
    "invitations.json             whether our team invited you, and to what; empty while your address is not confirmed",
    "imported.json                what our team brought along from another program for you",
    "mails.json                   what our team wrote to you",
    "videos.json                  which videos you uploaded for the course, and when",
    "tokens.json                  by which of your tokens other tools read or changed something here",
    "sessions.json                where you are signed in",
    "administrators.json          what our administrators did about your account",
    "profile-image.webp           your picture, when you have one",
    "",
    "Times are UTC. Amounts are US dollars. Card numbers are never kept.",
    "",
  ].join("\r\n");
}
