import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { recordAudit } from "./audit.ts";

/** What an action changed: the fields as they were and as they are. Nothing in it names a person. */
export interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Change and audit log in one transaction. */
export async function act<Result extends Change>(
  ctx: Context,
  entry: {
    /** Of the entry of the audit log. */
    readonly id?: string | undefined;
    readonly actor: User;
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
