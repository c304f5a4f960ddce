import { OperatorError } from "#server/base/operator-error.ts";
import type { Config } from "#server/context/config.ts";
import { findAcademyId, findMark, fingerprintOf, markStore, type Store } from "#server/storage/owner.ts";
import { listNamedFiles } from "./queries.ts";

export { listNamedFiles, listVideoUses } from "./queries.ts";

export const fileFolders = ["resources", "portraits", "posters", "videos"] as const;

/**
 * copied: marked by a copy of this database · missing: empty although rows name files · unknown: has files, and rows
 * name none of them.
 */
export type StoreState = "ours" | "copied" | "free" | "unmarked" | "missing" | "foreign" | "unknown" | "restoring";

/** The message tells the operator why. */
class StoreRefused extends OperatorError {
  override name = "StoreRefused";
}

/** Changes nothing. @throws Refusal unavailable. */
export async function inspectStore({ db, storage }: Store): Promise<StoreState> {
  const [mark, academy] = await Promise.all([findMark(storage), findAcademyId(db)]);
  if (mark?.restoring) return "restoring";
  if (mark) {
    if (mark.academy !== academy) return "foreign";
    const database = await fingerprintOf(db);
    return database && mark.database && mark.database !== database ? "copied" : "ours";
  }
  const named = new Set(await listNamedFiles(db));
  let isEmpty = true;
  for (const folder of fileFolders) {
    for await (const { key } of storage.list(folder)) {
      if (named.has(key)) return "unmarked";
      isEmpty = false;
    }
  }
  if (!isEmpty) return "unknown";
  return named.size > 0 ? "missing" : "free";
}

/**
 * Marks a free or unmarked store as this academy's; any number of nodes may call it at once.
 * @throws Refusal unavailable.
 */
export async function claimStore(store: Store, now: Date): Promise<StoreState> {
  const state = await inspectStore(store);
  if (state !== "free" && state !== "unmarked") return state;
  await markStore(store, now);
  // Reads the mark again: two academies may have claimed the store at the same time.
  return inspectStore(store);
}

export type StoreConfig = Pick<Config, "storage" | "dataDir">;

/** @throws StoreRefused for a store that this academy must not touch. */
export function requireTouchable(state: StoreState, config: StoreConfig): void {
  const where = storeName(config);
  const advice =
    "Set DATA_DIR, DATABASE_URL and S3_* as they belong together; if the files are this academy's, run npm run adopt-files.";
  if (state === "foreign") throw new StoreRefused(`The files in ${where} belong to another academy. ${advice}`);
  if (state === "unknown") {
    throw new StoreRefused(
      `The files in ${where} belong to no academy that is known, and no row names them. ${advice}`,
    );
  }
  if (state === "restoring") {
    throw new StoreRefused(
      `A restore into ${where} was not finished: run npm run restore once more with the same backup.`,
    );
  }
}

export function storeName({ storage, dataDir }: StoreConfig): string {
  return storage === "disk" ? `${dataDir}/files` : `the bucket ${storage.bucket}`;
}
