import { hash, randomBytes } from "node:crypto";
import { signerFactory } from "@fastify/cookie";
import { eq, gt, like, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { sendWatchNotes, type WatchNote } from "#contract/progress.ts";
import { grants } from "#server/access/tables.ts";
import { lessons } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { sessions, users } from "#server/identity/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";

/** The seconds of a lesson that each heartbeat reports as watched. */
export const watchedEach = 5;
/** A lesson's length, longer than any run watches, because seconds after its end do not count. */
const lessonSeconds = 3 * 3600;
const atOnce = 1000;
const ids = "bench-";

/** Students who watch at the same time. */
export interface Viewers {
  /** One cookie per viewer. */
  readonly cookies: readonly string[];
  /** Lesson ids. The viewers take them in turn. */
  readonly lessons: readonly string[];
  /** The bytes of the n-th heartbeat: viewers take turns, and each reports what was watched since its last one. */
  heartbeat: (n: number) => string;
  /** What the database has stored of theirs. */
  kept: () => Promise<{ records: number; secondsWatched: number }>;
  /** What it must have stored after this many heartbeats. Each viewer's first one only opens its lesson. */
  expected: (heartbeats: number) => { records: number; secondsWatched: number };
}

/**
 * Inserts students with a grant and a session signed by `secret` directly into the database, because signing up and
 * buying would take longer than the measurement.
 */
export async function openViewers(
  count: number,
  { connection, origin, secret }: { connection: pg.ClientConfig; origin: string; secret: string },
): Promise<Viewers> {
  const { host, port } = new URL(origin);
  const sign = signerFactory(secret);
  const withLength = await withDb(connection, (db) =>
    db
      .update(lessons)
      .set({ durationSeconds: lessonSeconds })
      .where(gt(lessons.durationSeconds, 0))
      .returning({ id: lessons.id }),
  );
  const lessonIds = withLength.map(({ id }) => id);
  const cookies: string[] = [];
  await withDb(connection, async (db) => {
    const now = new Date();
    const later = new Date(now.getTime() + 6 * 24 * 3_600_000);
    for (let from = 0; from < count; from += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => `${ids}${from + at}`);
      await db
        .insert(users)
        .values(some.map((id) => ({ id, email: `${id}@example.test`, createdAt: now, updatedAt: now })));
      await db.insert(grants).values(
        some.map((userId) => ({
          userId,
          tier: "vip" as const,
          source: "administrator" as const,
          sourceId: userId,
          startsAt: now,
          createdAt: now,
        })),
      );
      const values = some.map(() => randomBytes(32).toString("base64url"));
      await db.insert(sessions).values(
        some.map((userId, at) => ({
          sid: hash("sha256", values[at] ?? "", "base64url"),
          sess: {
            userId,
            signedInAt: now.toISOString(),
            authenticatedAt: now.toISOString(),
            isAuthenticationTold: true,
            usedSecondFactor: null,
            lastSeenAt: now.toISOString(),
            idToken: "",
            userAgent: "bench",
          },
          expire: later,
        })),
      );
      cookies.push(...values.map((value) => `academy-${port}=${encodeURIComponent(sign.sign(value))}`));
    }
    await db.execute(sql`analyze`);
  });

  return {
    cookies,
    lessons: lessonIds,
    heartbeat(n) {
      const viewer = n % count;
      const to = Math.floor(n / count) * watchedEach;
      const note: WatchNote = {
        lessonId: lessonIds[viewer % lessonIds.length] ?? "",
        watched: to > 0 ? [[to - watchedEach, to]] : [],
        position: to,
        at: new Date().toISOString(),
      };
      const body = JSON.stringify({ notes: [note] });
      return (
        `${sendWatchNotes.method} ${sendWatchNotes.path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\n` +
        `cookie: ${cookies[viewer]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      );
    },
    async kept() {
      const [row] = await withDb(connection, (db) =>
        db
          .select({
            records: sql<number>`count(*)::int`,
            secondsWatched: sql<number>`coalesce(sum(${courseProgress.watchTime}), 0)::float8`,
          })
          .from(courseProgress)
          .innerJoin(users, eq(users.id, courseProgress.userId))
          .where(like(users.id, `${ids}%`)),
      );
      return row ?? { records: 0, secondsWatched: 0 };
    },
    expected: (heartbeats) => ({
      records: Math.min(heartbeats, count),
      secondsWatched: Math.max(0, heartbeats - count) * watchedEach,
    }),
  };
}

async function withDb<Result>(connection: pg.ClientConfig, use: (db: Db) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await use(drizzle({ client }));
  } finally {
    await client.end();
  }
}
