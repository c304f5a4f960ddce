import { PageFacts } from "#contract/page-facts.ts";
import { SECOND } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { originsOfVideos, type VideoOrigins } from "#server/video/video.ts";
import { describeCatalogue, readSale } from "./catalogue.ts";
import { findContentVersion, listWatchableVideos } from "./queries.ts";

/** The same object for as long as nothing of it changes. */
export interface PageFactsNow {
  readonly facts: PageFacts;
  readonly videoOrigins: VideoOrigins;
}

/** How long a page waits for the database, and how long it does not ask again when that was in vain. */
const patience = SECOND;

/** Calls at one time share a read that begins after them. While the database is away, the last facts count. */
export async function watchPageFacts(
  ctx: Context,
  listMoreVideos: (db: Db) => Promise<readonly string[]> = async () => [],
): Promise<() => Promise<PageFactsNow>> {
  // Without a time limit: a start has nothing to say yet.
  let known = { version: await findContentVersion(ctx.db), ...(await readFacts(ctx, listMoreVideos)) };
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let patientFrom = 0;

  async function read(): Promise<void> {
    const version = await findContentVersion(ctx.db);
    // Read after the version: what is published meanwhile is then read once more.
    if (version !== known.version) known = { version, ...(await readFacts(ctx, listMoreVideos)) };
    patientFrom = 0;
  }

  function readAnew(): Promise<void> {
    if (running) {
      const after = () => {
        next = null;
        return readAnew();
      };
      next ??= running.then(after, after);
      return next;
    }
    running = within(patience, read()).finally(() => {
      running = null;
    });
    return running;
  }

  return async () => {
    const done = readAnew().catch(() => {
      if (performance.now() >= patientFrom) ctx.log.warn("pages say what was last known: the database does not answer");
      patientFrom = performance.now() + patience;
    });
    if (performance.now() >= patientFrom) await done;
    return ctx.clock.now().getTime() < known.offerEndsAt ? known.open : known.over;
  };
}

async function readFacts(ctx: Context, listMoreVideos: (db: Db) => Promise<readonly string[]>) {
  const [sale, catalogue, videos, more] = await Promise.all([
    readSale(ctx.db),
    describeCatalogue(ctx, null),
    listWatchableVideos(ctx.db),
    listMoreVideos(ctx.db),
  ]);
  const videoOrigins = originsOfVideos([...videos, ...more]);
  const factsAt = (at: Date): PageFactsNow => ({ facts: PageFacts.parse({ ...sale.at(at), catalogue }), videoOrigins });
  const { offerEndsAt } = sale;
  const open = factsAt(new Date(0));
  const over = offerEndsAt < Number.POSITIVE_INFINITY ? factsAt(new Date(offerEndsAt)) : open;
  return { open, over, offerEndsAt };
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
