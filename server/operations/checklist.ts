import type { FastifyInstance } from "fastify";
import { type Check, getChecklist } from "#contract/admin/checklist.ts";
import { aheadWords } from "#contract/admin/coaching.ts";
import { after, DAY } from "#server/base/clock.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import { listUnplayable } from "#server/catalogue/video-facts.ts";
import { listUnprovedClaims } from "#server/claims/claims.ts";
import { lookAhead } from "#server/coaching/meter.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { inspectStore } from "#server/files/store-state.ts";
import { serve } from "#server/http/serve.ts";
import { findTeamRestored } from "#server/people/team/restored.ts";
import { publishedCopy } from "#server/settings/copy.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { describeFfmpeg } from "#server/studio/find-ffmpeg.ts";
import { listObstacles } from "#server/subscriptions/renewal-stops.ts";
import { findMailRecords, isReserved, missingRecords } from "./mail-records.ts";
import {
  findLastEmail,
  findLastWebhook,
  hasLogo,
  hasOwnLesson,
  hasOwnName,
  hasOwnPlan,
  hasSold,
  listLessonsWithoutCaptions,
  listWithoutSecondFactor,
  readBacklog,
} from "./queries.ts";
import { findBackupFailure, findBackupNote } from "./scheduled-backups.ts";

type Finding = Pick<Check, "state" | "detail"> & Partial<Pick<Check, "links">>;

interface Item extends Pick<Check, "id" | "title" | "group" | "links"> {
  /** An error that it throws is a problem. */
  readonly examine: (ctx: Context, onDay: (timestamp: Timestamp) => string) => Promise<Finding>;
}

const done = (detail: string): Finding => ({ state: "done", detail });
const todo = (detail: string): Finding => ({ state: "todo", detail });
const nothingYet = (detail: string): Finding => ({ state: "nothing-yet", detail });
const problem = (detail: string): Finding => ({ state: "problem", detail });

/** Each group in the order in which its reader goes through it. */
const items: readonly Item[] = [
  {
    id: "name",
    title: "Name your academy",
    group: "first-steps",
    links: [{ label: "Settings", to: "/admin/settings" }],
    examine: async ({ db }) =>
      (await hasOwnName(db))
        ? done("Your academy has its own name.")
        : todo("Pages and emails still use the built-in name."),
  },
  {
    id: "logo",
    title: "Add your logo",
    group: "first-steps",
    links: [{ label: "Settings", to: "/admin/settings" }],
    examine: async ({ db }) =>
      (await hasLogo(db))
        ? done("Pages and emails show your logo.")
        : todo("Pages and emails show the name instead of a logo."),
  },
  {
    id: "price",
    title: "Set your prices",
    group: "first-steps",
    links: [{ label: "Content", to: "/admin/content" }],
    examine: async ({ db }) =>
      (await hasOwnPlan(db))
        ? done("You have changed a plan.")
        : todo("The plans still have the built-in names and prices. Change and publish at least one."),
  },
  {
    id: "first-lesson",
    title: "Publish your first lesson",
    group: "first-steps",
    links: [{ label: "New lesson", to: "/admin/content?edit=lesson.new" }],
    examine: async ({ db }) =>
      (await hasOwnLesson(db))
        ? done("Students can watch a lesson of yours.")
        : todo("Students see only the sample lessons. Add your first video and publish it."),
  },
  {
    id: "first-purchase",
    title: "Buy a plan yourself",
    group: "first-steps",
    links: [{ label: "Test a payment", to: "/payment-test" }],
    examine: async ({ db }) =>
      (await hasSold(db))
        ? done("At least one purchase has gone through.")
        : todo("Sign up as a student and buy a plan, to see what your students see. Then refund it."),
  },
  {
    id: "gateway",
    title: "Card gateway",
    group: "operator",
    links: [{ label: "Test a payment", to: "/payment-test" }],
    async examine({ gateway }) {
      const { success, message } = await gateway.testConnection();
      return success ? done(message) : problem(message);
    },
  },
  {
    id: "webhooks",
    title: "Gateway webhooks",
    group: "operator",
    links: [],
    async examine({ db, site }, onDay) {
      const last = await findLastWebhook(db);
      if (last) return done(`The last webhook arrived on ${onDay(last)}.`);
      const address = `${site.publicUrl}/api/authorize-net/webhook`;
      return todo(`No webhook has arrived yet. Add one for ${address} in the gateway's merchant interface.`);
    },
  },
  {
    id: "email",
    title: "Email",
    group: "operator",
    links: [],
    async examine({ db }, onDay) {
      const last = await findLastEmail(db);
      return last ? done(`The last email was sent on ${onDay(last)}.`) : nothingYet("No email has been sent yet.");
    },
  },
  {
    id: "mail-domain",
    title: "Email authentication",
    group: "operator",
    links: [],
    async examine({ site: { senderDomain: domain } }) {
      const advice = `Mailboxes trust emails from ${domain} if its DNS has SPF, DKIM and DMARC records.`;
      if (isReserved(domain)) return nothingYet(`${advice} ${domain} is a test domain, which can’t have any.`);
      const records = await findMailRecords(domain);
      const missing = missingRecords(domain, records);
      if (missing.length > 0) return todo([advice, "Missing:", ...missing].join(" "));
      const isKnown = Object.values(records).every((found) => found !== null);
      return isKnown
        ? done(`${advice} All three are there.`)
        : todo(`${advice} We couldn’t look up all three. Open this page again in a few minutes.`);
    },
  },
  {
    id: "administrators",
    title: "Team sign-in",
    group: "owner",
    links: [],
    async examine({ db, administratorEmails }) {
      const without = await listWithoutSecondFactor(db, administratorEmails);
      if (without.length === 0) return done("Every account of the team has a second factor.");
      return todo(
        `These accounts have no second factor: ${without.join(", ")}. They can turn it on under “Your sign-in”.`,
      );
    },
  },
  {
    id: "team",
    title: "Team roles",
    group: "owner",
    links: [{ label: "Team", to: "/admin/team" }],
    async examine({ db }, onDay) {
      const restoredAt = await findTeamRestored(db);
      if (!restoredAt) return done("Nothing to confirm. After a backup is restored, an owner confirms the roles here.");
      return problem(
        `A backup was restored on ${onDay(restoredAt)}, so people who left the team since may have their roles back. Check the roles, then confirm the team.`,
      );
    },
  },
  {
    id: "backups",
    title: "Backups",
    group: "operator",
    links: [],
    async examine({ db, clock }, onDay) {
      const note = await findBackupNote(db);
      const failure = await findBackupFailure(db);
      if (failure) return problem(`The backup on ${onDay(new Date(failure.failedAt))} failed: ${failure.reason}`);
      if (!note) return todo("Scheduled backups are off. Set BACKUP_EVERY to turn them on.");
      const madeAt = new Date(note.madeAt);
      const detail = `The last backup was made on ${onDay(madeAt)}.`;
      if (madeAt < after(clock.now(), -2 * DAY))
        return problem(`${detail} That’s more than two days ago. The log says why.`);
      return note.verifiedAt
        ? done(`${detail} A backup was last restored as a test on ${onDay(new Date(note.verifiedAt))}.`)
        : done(detail);
    },
  },
  {
    id: "files",
    title: "Files",
    group: "operator",
    links: [{ label: "Resources", to: "/admin-upload" }],
    async examine(ctx) {
      const state = await inspectStore(ctx);
      if (state === "ours" || state === "free" || state === "unmarked") return done("File storage works.");
      return problem(`File storage doesn’t work (${state}). Run npm run doctor for details.`);
    },
  },
  {
    id: "conversion",
    title: "Video conversion",
    group: "operator",
    links: [],
    async examine({ ffmpegPath }) {
      if (ffmpegPath !== null)
        return done(`Uploaded videos are converted by ffmpeg ${(await describeFfmpeg(ffmpegPath)).version}.`);
      return todo(
        "ffmpeg isn’t installed, so only MP4 files with H.264 and AAC can be uploaded. Install ffmpeg, or set FFMPEG_PATH.",
      );
    },
  },
  {
    id: "work",
    title: "Background jobs",
    group: "operator",
    links: [],
    async examine({ db, clock }) {
      const { failedJobs, lateJobs, unknownPayments } = await readBacklog(db, clock.now());
      if (failedJobs.length > 0) return problem(`These jobs failed: ${failedJobs.join(", ")}. The log says why.`);
      if (lateJobs > 0) return problem(`Jobs that are more than five minutes late: ${lateJobs}.`);
      if (unknownPayments > 0)
        return problem(`Payments whose outcome has been unknown for 15 minutes or more: ${unknownPayments}.`);
      return done("No job has failed or is late, and every payment has an outcome.");
    },
  },
  {
    id: "renewals",
    title: "Renewals",
    group: "owner",
    links: [{ label: "Money", to: "/admin/money" }],
    async examine({ db }) {
      const obstacles = await listObstacles(db);
      if (obstacles.length > 0) return problem(obstacles.map(({ sentence }) => sentence).join(" "));
      return done("Renewals run as scheduled.");
    },
  },
  {
    id: "books",
    title: "Books",
    group: "owner",
    links: [{ label: "Reconciliation", to: "/admin/reconciliation" }],
    async examine({ db }) {
      const openDiscrepancies = await countOpenDiscrepancies(db);
      if (openDiscrepancies > 0)
        return problem(`Differences from the gateway’s records that need your decision: ${openDiscrepancies}.`);
      return done("Your records agree with the gateway’s.");
    },
  },
  {
    id: "claims",
    title: "Claims on your pages",
    group: "owner",
    links: [{ label: "Claims", to: "/admin/claims" }],
    async examine({ db, clock }) {
      const { length } = await listUnprovedClaims(db, clock.now());
      if (length === 0) return done("Every claim on the pages has proof.");
      return todo(
        length === 1
          ? "1 claim has no proof yet. Add proof or remove it."
          : `${length} claims have no proof yet. Add proof or remove them.`,
      );
    },
  },
  {
    id: "policies",
    title: "Legal texts",
    group: "owner",
    links: [{ label: "Pages", to: "/admin/pages?edit=terms" }],
    async examine({ db, clock }, onDay) {
      const { copy, legalTexts, reviews } = await publishedCopy(db);
      const texts = (["terms", "privacy"] as const).map((part) => {
        const [published, reviewed] = [legalTexts[part], reviews[part] ?? null];
        const isReviewed = reviewed !== null && (published === null || reviewed > published);
        return { title: copy[part].title, heldAt: isReviewed ? reviewed : published, isReviewed };
      });
      const named = (chosen: typeof texts) => chosen.map(({ title }) => title).join(" and ");
      const untouched = texts.filter(({ heldAt }) => heldAt === null);
      if (untouched.length > 0)
        return todo(
          `These texts are still the built-in ones: ${named(untouched)}. Have them checked. Then publish your own, or mark them as reviewed.`,
        );
      const old = texts.filter(({ heldAt }) => heldAt && heldAt < after(clock.now(), -365 * DAY));
      if (old.length > 0)
        return todo(
          `These texts were last changed or reviewed more than a year ago: ${named(old)}. Check whether they still apply.`,
        );
      return done(
        texts
          .map(
            ({ title, heldAt, isReviewed }) =>
              `${title}: ${isReviewed ? "reviewed" : "published"} on ${heldAt && onDay(heldAt)}.`,
          )
          .join(" "),
      );
    },
  },
  {
    id: "coaching",
    title: "Coaching",
    group: "owner",
    links: [{ label: "Coaching", to: "/admin/coaching" }],
    async examine({ db, clock }) {
      const ahead = await lookAhead(db, clock.now());
      if (ahead.students === 0 && ahead.slots === 0) return nothingYet("Nobody can book coaching yet.");
      return ahead.unserved > 0 ? todo(`${aheadWords(ahead)} Open more hours.`) : done(aheadWords(ahead));
    },
  },
  {
    id: "videos",
    title: "Videos",
    group: "owner",
    links: [{ label: "Content", to: "/admin/content" }],
    async examine(ctx) {
      const unplayable = await listUnplayable(ctx);
      if (unplayable.length === 0) return done("No playback problems reported.");
      const listed = unplayable.slice(0, 5);
      const links = listed.map(({ kind, id, title }) => ({ label: title, to: `/admin/content?edit=${kind}.${id}` }));
      const count = unplayable.length === 1 ? "1 video" : `${unplayable.length} videos`;
      const reasons = listed.map(({ title, reason }) => `${title}: ${reason}`);
      const more = unplayable.length > 5 ? ["And more."] : [];
      return { ...problem([`${count} can’t be played.`, ...reasons, ...more].join(" ")), links };
    },
  },
  {
    id: "captions",
    title: "Captions",
    group: "owner",
    links: [{ label: "Content", to: "/admin/content" }],
    async examine({ db }) {
      const without = await listLessonsWithoutCaptions(db);
      if (without.length === 0) return done("Every lesson has captions.");
      const named = without.slice(0, 5).join(", ");
      const more = without.length > 5 ? ` and ${without.length - 5} more` : "";
      return todo(`These lessons have no captions, so search can’t find what they say: ${named}${more}.`);
    },
  },
];

export function checklistRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getChecklist, async () => ({ checks: await Promise.all(items.map((item) => check(ctx, item))) }));
}

async function check(ctx: Context, { examine, ...item }: Item): Promise<Check> {
  try {
    const { timeZone } = await currentSettings(ctx.db);
    return { ...item, ...(await examine(ctx, (timestamp) => formatDay(timestamp, timeZone))) };
  } catch (error) {
    ctx.log.warn({ err: error, check: item.id }, "a check of the administrators' list failed");
    return {
      ...item,
      ...problem("We couldn’t check this. Reload the page. If it happens again, ask your server administrator."),
    };
  }
}
