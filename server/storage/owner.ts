import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { addOperationalMark, findOperationalMark } from "#server/db/operational-marks.ts";
import type { Storage } from "./storage.ts";

const markKey = "store/belongs-to-this-academy";
const academyIdName = "file-store";

const Mark = z.object({
  academy: z.string(),
  /** Differs between a database and its copies; null where the server does not tell. */
  database: z.string().nullable(),
  /** The id of the backup that is being restored into the store. */
  restoring: z.string().optional(),
});
export type Mark = z.infer<typeof Mark>;

export interface Store {
  readonly db: Db;
  readonly storage: Storage;
}

/** The mark that says whose store it is; null without one. @throws Refusal unavailable. */
export async function findMark(storage: Storage): Promise<Mark | null> {
  const stored = await storage.read(markKey);
  if (!stored) return null;
  const read = Mark.safeParse(parse(await text(stored.stream)));
  // A mark that cannot be read still belongs to some academy.
  return read.success ? read.data : { academy: "", database: null };
}

export async function findAcademyId(db: Db): Promise<string | null> {
  const value = (await findOperationalMark(db, academyIdName))?.value;
  return typeof value === "string" ? value : null;
}

/** Differs between a database and its copies; null where the server does not tell. */
export async function fingerprintOf(db: Db): Promise<string | null> {
  const read = db.execute(sql`
    select (select system_identifier from pg_control_system())::text || '/' || oid as fingerprint
    from pg_database where datname = current_database()`);
  const answer = (await read.catch(() => null)) as { rows: { fingerprint: string }[] } | null;
  return answer?.rows[0]?.fingerprint ?? null;
}

/** Marks the store as this academy's, whatever its mark was. Any number of nodes may call it at once. */
export async function markStore({ db, storage }: Store, now: Date): Promise<void> {
  await addOperationalMark(db, academyIdName, newId(), now);
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

/**
 * Call it before writing: the directory may wait for its volume, or belong to another academy.
 * @throws Refusal unavailable.
 */
export async function requireOwnStore(store: Store): Promise<void> {
  if ((await ownershipOf(store)) === "ours") return;
  throw new Refusal("unavailable", "We can’t store files right now. Please try again in a few minutes.", {
    retryAfterSeconds: 60,
  });
}

/**
 * Deletes a file, unless the store is another academy's.
 * @throws Refusal unavailable when the store is missing, as the file would come back with it
 */
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
