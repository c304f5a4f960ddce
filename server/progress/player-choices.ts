import { eq } from "drizzle-orm";
import type { PlayerChoices } from "#contract/player-choices.ts";
import type { Db } from "#server/db/db.ts";
import { playerChoices } from "./tables.ts";

export async function findPlayerChoices(db: Db, userId: string): Promise<PlayerChoices> {
  const [row] = await db
    .select({ playsNext: playerChoices.playsNext })
    .from(playerChoices)
    .where(eq(playerChoices.userId, userId));
  return row ?? { playsNext: true };
}

export async function keepPlayerChoices(
  db: Db,
  userId: string,
  { playsNext }: PlayerChoices,
  now: Date,
): Promise<PlayerChoices> {
  await db
    .insert(playerChoices)
    .values({ userId, playsNext, updatedAt: now })
    .onConflictDoUpdate({ target: playerChoices.userId, set: { playsNext, updatedAt: now } });
  return { playsNext };
}
