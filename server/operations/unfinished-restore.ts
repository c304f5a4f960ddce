import { existsSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { z } from "zod";
import { OperatorError } from "#server/base/operator-error.ts";
import { syncDirectory } from "./archive.ts";

/** The message tells the operator what to do. */
class UnfinishedRestore extends OperatorError {
  override name = "UnfinishedRestore";

  constructor(where: string, backup: string | null) {
    super(
      `${where} holds a restore that was not finished: run npm run restore -- ${backup ?? "FILE"} once more, or use an empty location.`,
    );
  }
}

const Begun = z.object({
  backup: z.string(),
  path: z.string(),
  store: z.string(),
});
export type Begun = z.infer<typeof Begun>;

/** Records that a restore has begun, on the disk when it returns. */
export async function beginRestore(dataDir: string, begun: Begun): Promise<void> {
  const file = noteIn(dataDir);
  await writeFile(`${file}.unfinished`, JSON.stringify(begun), { mode: 0o600, flush: true });
  await rename(`${file}.unfinished`, file);
  await syncDirectory(dataDir);
}

export async function endRestore(dataDir: string): Promise<void> {
  await rm(noteIn(dataDir), { force: true });
  await syncDirectory(dataDir);
}

/** The restore that was interrupted; null without one. */
export function findBegun(dataDir: string): Begun | null {
  const file = noteIn(dataDir);
  return existsSync(file) ? Begun.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}

export function refuseUnfinishedRestore(dataDir: string): void {
  const begun = findBegun(dataDir);
  if (begun) throw new UnfinishedRestore(`DATA_DIR ${dataDir}`, begun.path);
}

const markName = "restore-unfinished";

export async function findBegunRows(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  const { rows: found } = await client.query("select to_regclass('public.operational_marks') as it");
  if (!found[0]?.it) return null;
  const { rows } = await client.query<{ value: string }>("select value from operational_marks where name = $1", [
    markName,
  ]);
  return rows[0]?.value ?? null;
}

export async function refuseUnfinishedRows(client: pg.ClientBase | pg.Pool): Promise<void> {
  if ((await findBegunRows(client)) !== null) throw new UnfinishedRestore("The database", null);
}

export async function beginRows(client: pg.ClientBase, backup: string): Promise<void> {
  await client.query(
    "insert into operational_marks (name, value, updated_at) values ($1, $2, now()) on conflict do nothing",
    [markName, JSON.stringify(backup)],
  );
}

/** Call it in the transaction that restores the rows. */
export async function endRows(client: pg.ClientBase): Promise<void> {
  await client.query("delete from operational_marks where name = $1", [markName]);
}

function noteIn(dataDir: string): string {
  return join(dataDir, "restore-unfinished.json");
}
