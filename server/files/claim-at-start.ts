import type { Logger } from "pino";
import { Refusal } from "#server/base/refusal.ts";
import { clearIncoming } from "#server/storage/incoming.ts";
import type { Store } from "#server/storage/owner.ts";
import { claimStore, requireTouchable, type StoreConfig, storeName } from "./store-state.ts";

/**
 * Claims the store at the start of a node. A store that does not answer is left until it does.
 * @throws StoreRefused for another academy's store
 */
export async function claimStoreAtStart(
  config: StoreConfig,
  store: Store,
  { now, log }: { now: Date; log: Logger },
): Promise<void> {
  const late = new Refusal("unavailable", "The file store does not answer.");
  const state = await Promise.race([claimStore(store, now), rejectAfter(10_000, late)]).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (state instanceof Refusal) return log.error({ err: state }, "the file store cannot be reached");
  requireTouchable(state, config);
  if (state !== "ours")
    log.warn({ state }, `the files in ${storeName(config)} are not known to be all of this academy's: none is removed`);
  // No upload is under way: DATA_DIR is locked by this process.
  else await clearIncoming(store.storage.incoming);
}

function rejectAfter(milliseconds: number, error: Error): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(error), milliseconds).unref();
  });
}
