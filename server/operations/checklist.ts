import type { FastifyInstance } from "fastify";
import { type Check, getChecklist } from "#contract/admin/checklist.ts";
import { aheadWords } from "#contract/admin/coaching.ts";
import { after, DAY } from "#server/base/clock.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import { listUnplayable } from "#server/catalogue/video-facts.ts";
import { listUnbackedClaims } from "#server/claims/claims.ts";
import { lookAhead } from "#server/coaching/meter.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { inspectStore } from "#server/files/store-state.ts";
import { serve } from "#server/http/serve.ts";
import { findTeamRestored } from "#server/people/team/restored.ts";
import { publishedCopy } from "#server/settings/copy.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { listObstacles } from "#server/subscriptions/renewal-stops.ts";
import { findMailRecords, isReserved, missingRecords } from "./mail-records.ts";
import {
  findLastEmail,
  findLastWebhook,
  listLessonsWithoutCaptions,
  listWithoutSecondFactor,
  readBacklog,
} from "./queries.ts";
import { findBackupFailure, findBackupNote } from "./scheduled-backups.ts";

type Finding = Pick<Check, "state" | "detail"> & Partial<Pick<Check, "links">>;

interface Item extends Pick<Check, "id" | "title" | "links"> {
  /** An error that it throws is a problem. */
  readonly examine: (ctx: Context, onDay: (timestamp: Timestamp) => string) => Promise<Finding>;
}

const done = (detail: string): Finding => ({ state: "done", detail });
const todo = (detail: string): Finding => ({ state: "todo", detail });
const problem = (detail: string): Finding => ({ state: "problem", detail });

/** In the order in which a new owner goes through them. */
const items: readonly Item[] = [
  {
    id: "gateway",
    title: "Card gateway",
    links: [{ label: "Test a payment", to: "/payment-test" }],
    async examine({ gateway }) {
      const { success, message } = await gateway.testConnection();
      return success ? done(message) : problem(message);
    },
  },
  {
    id: "webhooks",
    title: "Webhooks of the gateway",
    links: [],
    async examine({ db, site }, onDay) {
      const last = await findLastWebhook(db);
      if (last) return done(`The last one came on ${onDay(last)}.`);
      const address = `${site.publicUrl}/api/authorize-net/webhook`;
      return todo(`None has come yet. Add a webhook for ${address} in the gateway's merchant interface.`);
    },
  },
  {
    id: "email",
    title: "Email",
    links: [],
    async examine({ db }, onDay) {
      const last = await findLastEmail(db);
      return last ? done(`The last one was taken on ${onDay(last)}.`) : todo("None has been sent yet.");
    },
  },
  {
    id: "mail-domain",
    title: "Trust in emails",
    links: [],
    async examine({ site: { senderDomain: domain } }) {
      const advice = `SPF, DKIM and DMARC records of ${domain}, which emails come from, make mailboxes trust them.`;
      if (isReserved(domain)) return done(`${advice} It is a name for rehearsals, which has none.`);
      const records = await findMailRecords(domain);
      const missing = missingRecords(domain, records);
      if (missing.length > 0) return todo([advice, "Missing in the DNS:", ...missing].join(" "));
      const isKnown = Object.values(records).every((found) => found !== null);
      return done(isKnown ? `${advice} All three are there.` : `${advice} The DNS did not answer for all of them.`);
    },
  },
  {
    id: "administrators",
    title: "Sign-in of the team",
    links: [],
    async examine({ db, administratorEmails }) {
      const without = await listWithoutSecondFactor(db, administratorEmails);
      if (without.length === 0) return done("Each account has a second factor.");
      return todo(
        `A password is all it takes to be ${without.join(", ")}. Turn on the second factor under Your sign-in.`,
      );
    },
  },
  {
    id: "team",
    title: "Roles of the team",
    links: [{ label: "Team", to: "/admin/team" }],
    async examine({ db }, onDay) {
      const restoredAt = await findTeamRestored(db);
      if (!restoredAt) return done("No backup was restored, or an owner has confirmed the team since.");
      return problem(
        `A backup was restored on ${onDay(restoredAt)}: the roles are those of the backup, also of people who were dismissed since. See who has one, and confirm the team.`,
      );
    },
  },
  {
    id: "backups",
    title: "Backups",
    links: [],
    async examine({ db, clock }, onDay) {
      const note = await findBackupNote(db);
      const failure = await findBackupFailure(db);
      if (failure) return problem(`The one of ${onDay(new Date(failure.failedAt))} failed: ${failure.reason}`);
      if (!note) return todo("The academy makes none by itself. Your operator turns them on by BACKUP_EVERY.");
      const madeAt = new Date(note.madeAt);
      const detail = `The last one was made on ${onDay(madeAt)}.`;
      if (madeAt < after(clock.now(), -2 * DAY)) return problem(`${detail} It is too old: the log says what fails.`);
      return note.verifiedAt
        ? done(`${detail} One was restored and compared on ${onDay(new Date(note.verifiedAt))}.`)
        : done(detail);
    },
  },
  {
    id: "files",
    title: "Files",
    links: [{ label: "Resources", to: "/admin-upload" }],
    async examine(ctx) {
      const state = await inspectStore(ctx);
      if (state === "ours" || state === "free" || state === "unmarked") return done("The store answers and is ours.");
      return problem(`The store is not as it should be (${state}). npm run doctor says more.`);
    },
  },
  {
    id: "work",
    title: "Work in the background",
    links: [],
    async examine({ db, clock }) {
      const { failedJobs, lateJobs, unknownPayments } = await readBacklog(db, clock.now());
      if (failedJobs.length > 0) return problem(`Gave up: ${failedJobs.join(", ")}. The log says why.`);
      if (lateJobs > 0) return problem(`${lateJobs} jobs are late by minutes.`);
      if (unknownPayments > 0)
        return problem(`${unknownPayments} payments have no known outcome for a quarter of an hour.`);
      return done("No job failed, none is late, and the outcome of every payment is known.");
    },
  },
  {
    id: "renewals",
    title: "Renewals",
    links: [{ label: "Money", to: "/admin/money" }],
    async examine({ db }) {
      const obstacles = await listObstacles(db);
      if (obstacles.length > 0) return problem(obstacles.map(({ sentence }) => sentence).join(" "));
      return done("Nothing keeps them from being charged.");
    },
  },
  {
    id: "books",
    title: "Books",
    links: [{ label: "Reconciliation", to: "/admin/reconciliation" }],
    async examine({ db }) {
      const openDiscrepancies = await countOpenDiscrepancies(db);
      if (openDiscrepancies > 0) return problem(`Discrepancies that wait for a decision: ${openDiscrepancies}.`);
      return done("No discrepancy is open.");
    },
  },
  {
    id: "claims",
    title: "Claims of the pages",
    links: [{ label: "Claims", to: "/admin/claims" }],
    async examine({ db, clock }) {
      const { length } = await listUnbackedClaims(db, clock.now());
      if (length === 0) return done("Our data or a record backs each one.");
      return todo(`Nothing backs ${length} of them. Record what does, or take them off.`);
    },
  },
  {
    id: "policies",
    title: "Legal texts",
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
          `As they came with the software: ${named(untouched)}. Have them checked; then publish your own, or mark them as reviewed.`,
        );
      const old = texts.filter(({ heldAt }) => heldAt && heldAt < after(clock.now(), -365 * DAY));
      if (old.length > 0)
        return todo(`Neither changed nor reviewed for more than a year: ${named(old)}. See whether they still hold.`);
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
    links: [{ label: "Coaching", to: "/admin/coaching" }],
    async examine({ db, clock }) {
      const ahead = await lookAhead(db, clock.now());
      return ahead.unserved > 0 ? todo(`${aheadWords(ahead)} Open more hours.`) : done(aheadWords(ahead));
    },
  },
  {
    id: "videos",
    title: "Videos",
    links: [{ label: "Content", to: "/admin/content" }],
    async examine(ctx) {
      const unplayable = await listUnplayable(ctx);
      if (unplayable.length === 0) return done("No released video is known to fail.");
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
    links: [{ label: "Content", to: "/admin/content" }],
    async examine({ db }) {
      const without = await listLessonsWithoutCaptions(db);
      if (without.length === 0) return done("Every lesson has captions.");
      const named = without.slice(0, 5).join(", ");
      const more = without.length > 5 ? ` and ${without.length - 5} more` : "";
      return todo(`Lessons without captions of ours, so that nobody finds their words: ${named}${more}.`);
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
    return { ...item, ...problem("It does not answer. The log says more.") };
  }
}
