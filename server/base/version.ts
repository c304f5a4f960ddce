import { createHash } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** Of something that is edited: another one when a field differs, also in the order of fields. */
export function versionOf(edited: object): string {
  return createHash("sha256").update(JSON.stringify(edited)).digest("base64url").slice(0, 20);
}

const changedMeanwhile = "Someone changed this after you opened it. Your text is still here. Compare both versions.";

/**
 * Keeps a change from overwriting what was saved since it was begun; `said` is the version that it was made from.
 * @throws Refusal conflict, with `why`.
 */
export function requireVersion(said: string | undefined, known: string | undefined, why = changedMeanwhile): void {
  if (said !== undefined && said !== known) throw new Refusal("conflict", why);
}
