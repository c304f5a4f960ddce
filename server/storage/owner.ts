import { text } from "node:stream/consumers";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { settings } from "#server/db/tables.ts";
import type { Storage } from "./storage.ts";

const markKey = "store/belongs-to-this-academy";
const academySetting = "file-store";

const Mark = z.object({
  academy: z.string(),
  /** Tells the database from its copies; null where its server does not say. */
  database: z.string().nullable(),
  /** The backup that is being restored into the store. */
  restoring: z.string().optional(),
});
export type Mark = z.infer<typeof Mark>;

export interface Store {
  readonly db: Db;
  readonly storage: Storage;
}

/** Null when it says nothing of its owner. @throws Refusal unavailable. */
export async function findMark(storage: Storage): Promise<Mark | null> {
  const stored = await storage.read(markKey);
  if (!stored) return null;
  const read = Mark.safeParse(parse(await text(stored.stream)));
  // A mark that nobody can read is somebody's all the same.
  return read.success ? read.data : { academy: "", database: null };
}

export async function findAcademyId(db: Db): Promise<string | null> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, academySetting));
  return typeof row?.value === "string" ? row.value : null;
}

/** Tells a database from its copies. Null where the server does not say. */
export async function fingerprintOf(db: Db): Promise<string | null> {
  const read = db.execute(sql`
    select (select system_identifier from pg_control_system())::text || '/' || oid as fingerprint
    from pg_database where datname = current_database()`);
  const answer = (await read.catch(() => null)) as { rows: { fingerprint: string }[] } | null;
  return answer?.rows[0]?.fingerprint ?? null;
}

/** Whatever the store was before. Any number of nodes may do it at once. */
export async function markStore({ db, storage }: Store, now: Date): Promise<void> {
  await db.insert(settings).values({ name: academySetting, value: newId(), updatedAt: now }).onConflictDoNothing();
  const academy = await findAcademyId(db);
  if (academy === null) throw new Error("the academy's id is not a text");
  await writeMark(storage, { academy, database: await fingerprintOf(db) });
}

export async function writeMark(storage: Storage, mark: Mark): Promise<void> {
  await storage.put(markKey, Buffer.from(`${JSON.stringify(mark)}\n`));
}

export async function removeMark(storage: Storage): Promise<void> {
  await storage.delete(markKey);
}

/** Nothing goes to a directory that waits for its volume, or to another academy. @throws Refusal unavailable. */
export async function requireOwnStore(store: Store): Promise<void> {
  if ((await ownershipOf(store)) === "ours") return;
  throw new Refusal("unavailable", "Files cannot be stored for now. Please try again in a few minutes.", {
    retryAfterSeconds: 60,
  });
}

/** Leaves another academy's store alone. @throws Refusal unavailable: the file would come back with the store. */
export async function deleteOwnFile(store: Store, key: string): Promise<void> {
  const ownership = await ownershipOf(store);
  if (ownership === "ours") await store.storage.delete(key);
  else if (ownership === "nobody's") throw new Refusal("unavailable", "The file store is not there.");
}

async function ownershipOf({ db, storage }: Store): Promise<"ours" | "nobody's" | "another's"> {
  const [mark, academy] = await Promise.all([findMark(storage), findAcademyId(db)]);
  if (!mark) return "nobody's";
  return mark.academy === academy && !mark.restoring ? "ours" : "another's";
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
