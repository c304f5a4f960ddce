import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type CourseAccess, getCourseAccess } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import { getAnnouncementChoice } from "#contract/announcements.ts";
import { getCatalogue, type Module } from "#contract/catalogue.ts";
import { type CoachingOverview, getCoaching, getSlots, type Slots } from "#contract/coaching/coaching.ts";
import { type FreeDay, freeDays } from "#contract/coaching/free-days.ts";
import { cityOf, clockInZone, knownZone } from "#contract/coaching/times.ts";
import { type CurrentUser, getCurrentUser, viewerHeader } from "#contract/identity/identity.ts";
import { listSessions } from "#contract/identity/sessions.ts";
import { lessonToContinue, playLabel, resumeAt, secondIn } from "#contract/lesson-start.ts";
import { getPlayerChoices } from "#contract/player-choices.ts";
import { type LessonProgress, listProgress } from "#contract/progress.ts";
import { listUserPurchases } from "#contract/purchases/purchases.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { SECOND } from "#server/base/clock.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { Personalise } from "#server/http/pages/pages.ts";

type Reader = <Reply>(endpoint: { readonly path: string }) => Reply | null;

interface FirstCalls {
  /** The paths of what the page asks for first, besides the user. */
  readonly calls: readonly string[];
  /** What it asks for once it has those. */
  readonly next?: (read: Reader) => readonly string[];
  /** Writes replies into the page's HTML. */
  readonly fill?: (html: string, read: Reader, query: LessonQuery) => string;
}

const pathsOf = (...endpoints: { readonly path: string }[]) => endpoints.map(({ path }) => path);
const ofCourse = pathsOf(getCourseAccess, getCatalogue, listProgress, listUserPurchases);

const firstCalls: Readonly<Record<string, FirstCalls>> = {
  [href.dashboard()]: { calls: ofCourse, fill: withCover },
  [href.courseAccess()]: { calls: ofCourse },
  [href.profile()]: {
    calls: pathsOf(
      ...[getCourseAccess, listUserPurchases, listPayments, listSessions, getAnnouncementChoice, getPlayerChoices],
    ),
  },
  [href.subscription()]: { calls: pathsOf(getOwnSubscription, getCatalogue) },
  [href.coaching()]: {
    calls: pathsOf(getCoaching),
    next: (read) => {
      const overview = read<CoachingOverview>(getCoaching);
      return overview?.allowance && !overview.upcoming ? pathsOf(getSlots, getCatalogue) : [];
    },
    fill: withFreeTimes,
  },
};

interface Limits {
  /** What the session's cookie names; null unless its signature is valid. Asks no database. */
  readonly sessionOf: (request: FastifyRequest) => string | null;
  /** Whether the server has room for the calls, which then count as one request. */
  readonly admits: (request: FastifyRequest, reply: FastifyReply) => boolean;
  readonly isDraining: () => boolean;
  readonly maxWaitMs: number;
}

/** How long pages are sent without replies after the calls took too long. */
const cooldown = 10 * SECOND;

/**
 * Puts the replies to a page's first calls into its HTML, and the lesson to continue, so that a student sees the page
 * without waiting for its scripts. The calls go through the API: nothing is here that the browser would not get.
 * Resolves to null past a limit or where a call fails: the page from memory then asks and explains itself.
 */
export function firstPages(app: FastifyInstance, { sessionOf, admits, isDraining, maxWaitMs }: Limits): Personalise {
  // At most one entry for each page being made, 500 of about 100 bytes.
  const underWay = new Set<string>();
  let coolsDownUntil = 0;

  return async (request, reply, page) => {
    const first = firstCalls[page.path];
    if (!first || request.method !== "GET" || isDraining() || performance.now() < coolsDownUntil) return null;
    const session = sessionOf(request);
    if (session === null || underWay.has(session) || !admits(request, reply)) return null;
    underWay.add(session);
    const made = firstPage(app, request, first, page.html()).finally(() => underWay.delete(session));
    try {
      const html = await Promise.race([made, delay(maxWaitMs, undefined, { ref: false })]);
      if (html !== undefined) return html;
      coolsDownUntil = performance.now() + cooldown;
      request.log.warn("pages are sent without their first replies: the database is slow");
    } catch (error) {
      request.log.warn({ err: error, page: page.path }, "a page is sent without its first replies");
    }
    return null;
  };
}

async function firstPage(
  app: FastifyInstance,
  request: FastifyRequest,
  { calls, next, fill }: FirstCalls,
  html: string,
): Promise<string | null> {
  const { cookie, host } = request.headers;
  const replies = new Map<string, string>();
  const headers: Record<string, string | undefined> = { cookie, host };
  const call = async (url: string) => {
    const { statusCode, payload } = await app.inject({ url, headers });
    if (statusCode === 200) replies.set(url, payload);
    return statusCode === 200;
  };
  const callAll = async (urls: readonly string[]) => (await Promise.all(urls.map(call))).every(Boolean);
  const read: Reader = ({ path }) => JSON.parse(replies.get(path) ?? "null");
  // First alone, so that a browser whose session is over costs one call.
  if (!(await call(getCurrentUser.path))) return null;
  // Refused from the instant at which the session is another user's, so that no page has the data of two.
  headers[viewerHeader] = read<CurrentUser>(getCurrentUser)?.id;
  if (!(await callAll(calls)) || !(await callAll(next?.(read) ?? []))) return null;
  const seeds = [...replies].map(([path, reply]) => `${JSON.stringify(path)}:${reply}`).join();
  const data = `<script type="application/json" id="seeds">{${seeds.replaceAll("<", "\\u003c")}}</script>`;
  const filled = fill ? fill(html, read, request.query as LessonQuery) : html;
  return filled.replace("</body>", () => `${data}</body>`);
}

interface LessonQuery {
  readonly lesson?: unknown;
  readonly at?: unknown;
  readonly tab?: unknown;
}

/** Fills in the cover of the lesson with which the dashboard opens. */
function withCover(html: string, read: Reader, query: LessonQuery): string {
  if (query.tab !== undefined || !read<CourseAccess>(getCourseAccess)?.hasAccess) return html;
  const modules = read<Module[]>(getCatalogue) ?? [];
  const records = new Map(read<LessonProgress[]>(listProgress)?.map((record) => [record.lessonId, record]));
  const named = modules.flatMap(({ lessons }) => lessons).find(({ id }) => id === query.lesson);
  const lesson = named ?? lessonToContinue(modules, records);
  if (!lesson?.isUnlocked || lesson.comingSoon || lesson.kind === "text") return html;
  const label = playLabel(secondIn(query.at) ?? resumeAt(records.get(lesson.id), lesson.duration));
  return unfold(html, "first-cover", (cover) =>
    withMarks(lesson.thumbnail ? cover : cover.replace(/<img[^>]*>/, ""), {
      ...{ title: lesson.title, label },
      poster: lesson.thumbnail ?? "",
    }),
  );
}

/** Lists the free times by day, for browsers without scripts. */
function withFreeTimes(html: string, read: Reader): string {
  const slots = read<Slots>(getSlots);
  const zone = knownZone(read<CoachingOverview>(getCoaching)?.timeZone ?? null);
  const days = slots ? freeDays(slots, zone) : [];
  if (days.length === 0) return html;
  const hasOneCoach = slots?.coaches.length === 1;
  const timesOf = ({ times }: FreeDay) =>
    times.map(({ startsAt, coachName }) => clockInZone(startsAt, zone) + (hasOneCoach ? "" : ` with ${coachName}`));
  const listed = unfold(html, "free-day", (row) =>
    days.map((day) => withMarks(row, { day: day.day, times: timesOf(day).join(", ") })).join(""),
  );
  return unfold(listed, "free-times", (section) => withMarks(section, { city: cityOf(zone) }));
}

/** Replaces an inert template by what `fill` makes of its content. */
function unfold(html: string, id: string, fill: (content: string) => string): string {
  return html.replace(new RegExp(`<template id="${id}">(.*?)</template>`, "s"), (_, content: string) => fill(content));
}

function withMarks(html: string, marks: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{(\w+)\}/g, (mark, name: string) =>
    escapeHtml((Object.hasOwn(marks, name) ? marks[name] : undefined) ?? mark),
  );
}
