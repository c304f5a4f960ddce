import { and, asc, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { videoPieces, videos } from "./tables.ts";

export type VideoRow = typeof videos.$inferSelect;

/** The video was deleted, or another node has started over. */
export class Superseded extends Error {
  override name = "Superseded";
}

const underWay = ["checking", "waiting", "converting"] as const;
export const maxTries = 3;

export const arrivedDifferently = "What arrived differs from the file on your computer. Upload it again.";

/** Whether the server and the browser have read different files. */
export function hasArrivedDifferently({ sha256, toldSha256 }: Pick<VideoRow, "sha256" | "toldSha256">): boolean {
  return sha256 !== null && toldSha256 !== null && sha256 !== toldSha256;
}

/** Starts a run, which makes earlier ones record nothing more. Null when there is nothing to convert. */
export async function startRun({ db, clock }: Context, videoId: string): Promise<VideoRow | null> {
  const [row] = await db
    .update(videos)
    .set({
      run: sql`${videos.run} + 1`,
      attempts: sql`${videos.attempts} + 1`,
      state: "checking",
      progress: 0,
      progressAt: clock.now(),
    })
    .where(and(eq(videos.id, videoId), inArray(videos.state, [...underWay])))
    .returning();
  return row ?? null;
}

/** Records a step of the run. @throws Superseded when the run is no longer the video's last. */
export async function recordStep(
  db: Db,
  { id, run }: Pick<VideoRow, "id" | "run">,
  values: Partial<Omit<VideoRow, "id" | "run">> | { attempts: ReturnType<typeof sql> },
): Promise<VideoRow> {
  const [row] = await db
    .update(videos)
    .set(values)
    .where(and(eq(videos.id, id), eq(videos.run, run), inArray(videos.state, [...underWay])))
    .returning();
  if (!row) throw new Superseded("the video was deleted, or another node converts it");
  return row;
}

export function listPieces(db: Db, videoId: string) {
  return db.select().from(videoPieces).where(eq(videoPieces.videoId, videoId)).orderBy(asc(videoPieces.start));
}

/** @returns their keys in the store */
export async function deletePieces(tx: Db, videoId: string): Promise<string[]> {
  const rows = await tx.delete(videoPieces).where(eq(videoPieces.videoId, videoId)).returning({ key: videoPieces.key });
  return rows.map(({ key }) => key);
}

export interface Conversions {
  readonly waiting: number;
  readonly converting: number;
  readonly failed: number;
  /** Since the one under way that stands still longest has advanced. */
  readonly standstillSeconds: number;
  /** From the upload to the last rendition, of the newest one. */
  readonly lastSeconds: number;
}

export async function readConversions(db: Db, now: Date): Promise<Conversions> {
  const isRunning = inArray(videos.state, ["checking", "converting"]);
  const since = sql`extract(epoch from ${now.toISOString()}::timestamptz - min(${videos.progressAt}) filter (where ${isRunning}))`;
  const last = db
    .select({ seconds: sql`extract(epoch from ${videos.readyAt} - ${videos.uploadedAt})` })
    .from(videos)
    .where(isNotNull(videos.readyAt))
    .orderBy(desc(videos.readyAt))
    .limit(1);
  const [row] = await db
    .select({
      waiting: sql<number>`(count(*) filter (where ${eq(videos.state, "waiting")}))::int`,
      converting: sql<number>`(count(*) filter (where ${isRunning}))::int`,
      failed: sql<number>`(count(*) filter (where ${eq(videos.state, "failed")}))::int`,
      standstillSeconds: sql<number>`coalesce(${since}, 0)::float`,
      lastSeconds: sql<number>`coalesce((${last}), 0)::float`,
    })
    .from(videos);
  return row ?? { waiting: 0, converting: 0, failed: 0, standstillSeconds: 0, lastSeconds: 0 };
}
