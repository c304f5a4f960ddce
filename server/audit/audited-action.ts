import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { recordAudit } from "./audit.ts";

/** The fields that an action changed, before and after. None of them names a person. */
export interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Makes a change and records it in the audit log, in one transaction. */
export async function performAction<Result extends Change>(
  ctx: Context,
  entry: {
    /** The id of the entry in the audit log; a new one when absent. */
    readonly id?: string | undefined;
    readonly actor: { readonly id: string };
    /** Such as `hold account`. */
    readonly action: string;
    readonly subject: string;
    readonly reason?: string | undefined;
  },
  change: (tx: Db, now: Date) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const result = await change(tx, now);
    const { before, after } = result;
    await recordAudit(tx, { ...entry, actor: entry.actor.id, before, after }, now);
    return result;
  });
}

export function differences(before: Record<string, unknown>, after: Record<string, unknown>): Required<Change> {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
