import { eq } from "drizzle-orm";
import { type SequenceName, type SequenceSettings, sequenceNames } from "#contract/admin/sequences.ts";
import { audited, differences } from "#server/audit/audit.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { settings } from "#server/settings/tables.ts";

const rowName = "sequences";

export interface SwitchedSequences {
  readonly controlPercent: number;
  /** When each was last turned on, ISO 8601. Those that are off are absent. */
  readonly since: { readonly [Name in SequenceName]?: string };
}

/** An owner reads the emails before they go out, so all are off at first. */
const atFirst: SwitchedSequences = { controlPercent: 10, since: {} };

export async function switchedSequences(db: Db): Promise<SwitchedSequences> {
  const [row] = await db.select().from(settings).where(eq(settings.name, rowName));
  return { ...atFirst, ...(row?.value as SwitchedSequences | undefined) };
}

export function settingsOf({ controlPercent, since }: SwitchedSequences): SequenceSettings {
  return { on: sequenceNames.filter((name) => since[name] !== undefined), controlPercent };
}

export function versionOfSettings(switched: SwitchedSequences): string {
  return versionOf(settingsOf(switched));
}

/** @throws Refusal conflict when somebody changed it since `version`. */
export async function switchSequences(
  ctx: Context,
  actor: User,
  { on, controlPercent }: SequenceSettings,
  version: string | undefined,
): Promise<void> {
  await audited(ctx, { actor, action: "change sequences", subject: "sequences" }, async (tx, now) => {
    // Exists afterwards, so that of two owners one waits for the other.
    await tx.insert(settings).values({ name: rowName, value: atFirst, updatedAt: now }).onConflictDoNothing();
    await tx.select().from(settings).where(eq(settings.name, rowName)).for("update");
    const before = await switchedSequences(tx);
    requireVersion(version, versionOfSettings(before));
    const since = Object.fromEntries(on.map((name) => [name, before.since[name] ?? now.toISOString()]));
    const value: SwitchedSequences = { controlPercent, since };
    await tx.update(settings).set({ value, updatedAt: now }).where(eq(settings.name, rowName));
    return differences({ ...settingsOf(before) }, { ...settingsOf(value) });
  });
}
