import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { bookings, liveSessions } from "./tables.ts";

// Inserts sessions for the demo, without emails.

export async function recordHeld(
  tx: Db,
  held: {
    readonly coachId: string;
    readonly userId: string;
    readonly startsAt: Date;
    readonly endsAt: Date;
    readonly studentZone: string;
    readonly prep: string | null;
    readonly summary: string | null;
  },
): Promise<void> {
  const { startsAt, endsAt } = held;
  const joined = { joinedByStudentAt: startsAt, joinedByCoachAt: startsAt };
  await tx.insert(bookings).values({
    ...held,
    ...joined,
    state: "held",
    isOver: true,
    room: newId(),
    closedAt: endsAt,
    createdAt: startsAt,
  });
}

/** Sends no email. @returns its id */
export async function recordLiveSession(
  tx: Db,
  session: Pick<typeof liveSessions.$inferInsert, "title" | "about" | "coachId" | "startsAt" | "endsAt" | "seats"> & {
    readonly recording?: { readonly videoId: string; readonly seconds: number };
  },
  now: Date,
): Promise<string> {
  const { recording, ...text } = session;
  const id = newId();
  await tx.insert(liveSessions).values({
    ...text,
    id,
    requiredTier: "premium",
    room: newId(),
    state: text.endsAt <= now ? "held" : "scheduled",
    recordingVideoId: recording?.videoId ?? null,
    recordingSeconds: recording?.seconds ?? null,
    createdAt: now,
  });
  return id;
}
