import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { PageFacts } from "#contract/page-facts.ts";
import { SECOND } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { describeCommunities } from "#server/settings/settings.ts";
import { originsOfVideos, type VideoOrigins } from "#server/video/video.ts";
import { describeCatalogue, describeOnPages, readSale, readWords } from "./catalogue.ts";
import { listPublicChanges } from "./public-changes.ts";
import { findContentVersion, listFirstCues, listOpenings, listWatchableVideos } from "./queries.ts";

/** The same object until something in it changes. */
export interface PageFactsNow {
  readonly facts: PageFacts;
  readonly videoOrigins: VideoOrigins;
}

/** Milliseconds that facts may be reused, so that a busy node does not query for each page. */
const countsFor = 50;

/** Resolves when the pages of every node show what was committed before the call. */
export async function waitForPages(): Promise<void> {
  await delay(countsFor + 10);
}

/** How long a page waits for the database: longer than a busy one takes. */
const readTimeout = 3 * SECOND;

/** After a timeout pages do not wait for so long; they still ask, and an answer ends the cooldown. */
const cooldown = 10 * SECOND;

/**
 * Reads what pages show whenever the content version changes or a lesson opens. Calls in one turn of the event loop
 * share a read. While the database is away the last facts count.
 */
export async function watchPageFacts(
  ctx: Context,
  timeLimitFactor: number,
  listMoreVideos: (db: Db) => Promise<readonly string[]>,
): Promise<() => Promise<PageFactsNow>> {
  // Without a timeout: a start has no earlier facts.
  let known = { readAt: 0, version: await findContentVersion(ctx.db), ...(await readFacts(ctx, listMoreVideos)) };
  let reading: Promise<void> | null = null;
  let answer: Promise<PageFactsNow> | null = null;
  let coolsDownUntil = 0;

  async function read(): Promise<void> {
    const readAt = performance.now();
    const version = await findContentVersion(ctx.db);
    // After the version: content that is published meanwhile raises it and is read again.
    const isCurrent = version === known.version && ctx.clock.now().getTime() < known.opensNextAt;
    const facts = isCurrent ? known : await readFacts(ctx, listMoreVideos);
    // A read that timed out may end after a later one.
    if (readAt > known.readAt) known = { ...facts, readAt, version };
    coolsDownUntil = 0;
  }

  async function readInTime(): Promise<void> {
    try {
      await within(timeLimitFactor * readTimeout, read());
    } catch {
      if (performance.now() >= coolsDownUntil)
        ctx.log.warn("pages say what was last known: the database does not answer");
      coolsDownUntil = performance.now() + cooldown;
    } finally {
      reading = null;
    }
  }

  async function tell(): Promise<PageFactsNow> {
    // Answering several pages in a row takes a fifth less time for each.
    await nextTurn();
    answer = null;
    const since = performance.now() - countsFor;
    // Reads again when the current read began before the call.
    while (known.readAt < since) {
      reading ??= readInTime();
      if (performance.now() < coolsDownUntil) break;
      await reading;
    }
    return ctx.clock.now().getTime() < known.offerEndsAt ? known.open : known.over;
  }

  return () => {
    answer ??= tell();
    return answer;
  };
}

async function readFacts(ctx: Context, listMoreVideos: (db: Db) => Promise<readonly string[]>) {
  const [openings, academy, communities, sale, words, catalogue, changes, firstCaptions, videos, more] =
    await Promise.all([
      listOpenings(ctx.db, ctx.clock.now()),
      describeOnPages(ctx.db),
      describeCommunities(ctx.db),
      readSale(ctx.db),
      readWords(ctx.db),
      describeCatalogue(ctx, null),
      listPublicChanges(ctx.db, ctx.clock.now()),
      listFirstCues(ctx.db, ctx.clock.now()),
      listWatchableVideos(ctx.db),
      listMoreVideos(ctx.db),
    ]);
  const videoOrigins = originsOfVideos([...videos, ...more]);
  const { copy } = words;
  const factsAt = (at: Date): PageFactsNow => {
    const { plans, offer } = sale.at(at);
    const claims = words.claimsBeside(plans);
    const facts = { academy, communities, plans, offer, catalogue, firstCaptions, changes, claims, copy };
    return { facts: PageFacts.parse(facts), videoOrigins };
  };
  const { offerEndsAt } = sale;
  const open = factsAt(new Date(0));
  const over = offerEndsAt < Number.POSITIVE_INFINITY ? factsAt(new Date(offerEndsAt)) : open;
  return { open, over, offerEndsAt, opensNextAt: openings[0]?.getTime() ?? Number.POSITIVE_INFINITY };
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the database is slow")), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
