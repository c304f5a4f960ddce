import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type CourseAccess, getCourseAccess } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import { getCatalogue, type Module } from "#contract/catalogue.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { lessonToContinue, playLabel, resumeAt, secondIn } from "#contract/lesson-start.ts";
import { type LessonProgress, listProgress } from "#contract/progress.ts";
import { listUserPurchases } from "#contract/purchases/purchases.ts";
import { SECOND } from "#server/base/clock.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { Personalise } from "#server/http/pages/pages.ts";

const ofCourse = [getCourseAccess, getCatalogue, listProgress, listUserPurchases].map(({ path }) => path);
/** What pages ask for first, besides the user. */
const firstCalls: Readonly<Record<string, readonly string[]>> = {
  [href.dashboard()]: ofCourse,
  [href.courseAccess()]: ofCourse,
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
    const calls = firstCalls[page.path];
    if (!calls || request.method !== "GET" || isDraining() || performance.now() < coolsDownUntil) return null;
    const session = sessionOf(request);
    if (session === null || underWay.has(session) || !admits(request, reply)) return null;
    underWay.add(session);
    const made = firstPage(app, request, { calls, html: page.html() }).finally(() => underWay.delete(session));
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
  { calls, html }: { readonly calls: readonly string[]; readonly html: string },
): Promise<string | null> {
  const { cookie, host } = request.headers;
  const call = async (url: string) => {
    const { statusCode, payload } = await app.inject({ url, headers: { cookie, host } });
    return statusCode === 200 ? payload : null;
  };
  // First alone, so that a browser whose session is over costs one call.
  const user = await call(getCurrentUser.path);
  if (user === null) return null;
  const replies = new Map<string, string>([[getCurrentUser.path, user]]);
  for (const [at, reply] of (await Promise.all(calls.map(call))).entries()) {
    if (reply === null) return null;
    replies.set(calls[at] ?? "", reply);
  }
  const seeds = [...replies].map(([path, reply]) => `${JSON.stringify(path)}:${reply}`).join();
  const data = `<script type="application/json" id="seeds">{${seeds.replaceAll("<", "\\u003c")}}</script>`;
  return withCover(html, replies, request.query as LessonQuery).replace("</body>", () => `${data}</body>`);
}

interface LessonQuery {
  readonly lesson?: unknown;
  readonly at?: unknown;
  readonly tab?: unknown;
}

/** Fills in the cover of the lesson with which the dashboard opens. */
function withCover(html: string, replies: ReadonlyMap<string, string>, query: LessonQuery): string {
  const read = <Reply>({ path }: { path: string }) => JSON.parse(replies.get(path) ?? "null") as Reply;
  if (query.tab !== undefined || !read<CourseAccess>(getCourseAccess).hasAccess) return html;
  const modules = read<Module[]>(getCatalogue);
  const records = new Map(read<LessonProgress[]>(listProgress).map((record) => [record.lessonId, record]));
  const named = modules.flatMap(({ lessons }) => lessons).find(({ id }) => id === query.lesson);
  const lesson = named ?? lessonToContinue(modules, records);
  if (!lesson?.isUnlocked || lesson.comingSoon) return html;
  const marks: Readonly<Record<string, string>> = {
    title: lesson.title,
    label: playLabel(secondIn(query.at) ?? resumeAt(records.get(lesson.id), lesson.duration)),
    poster: lesson.thumbnail ?? "",
  };
  return html.replace(/<template id="first-cover">(.*?)<\/template>/s, (_, cover: string) =>
    (lesson.thumbnail ? cover : cover.replace(/<img[^>]*>/, "")).replaceAll(
      /\{(title|label|poster)\}/g,
      (_, name: string) => escapeHtml(marks[name] ?? ""),
    ),
  );
}
