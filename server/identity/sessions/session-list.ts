import { hash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Session } from "#contract/identity/sessions.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { sessions } from "../tables.ts";
import { openOf, requireReauthentication } from "./session-ends.ts";
import type { SignedIn } from "./sessions.ts";
import { describeUserAgent } from "./user-agent.ts";

/** The session that asks first, then the most recently used. */
export async function listSessionsOf(ctx: Context, { user, sid }: SignedIn): Promise<Session[]> {
  const rows = await findOpen(ctx, user.id);
  return rows
    .map(({ sid: of, sess }) => ({
      id: nameOf(of),
      ...describeUserAgent(sess.userAgent),
      signedInAt: sess.signedInAt,
      lastSeenAt: sess.lastSeenAt,
      isCurrent: of === sid,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt));
}

/** Takes effect on every node. That browser has to authenticate again. @throws Refusal not-found. */
export async function endSession(ctx: Context, { user, sid }: SignedIn, id: string): Promise<void> {
  const [ended] = (await findOpen(ctx, user.id)).filter((row) => nameOf(row.sid) === id);
  if (!ended) throw new Refusal("not-found", "This session has already ended.");
  if (ended.sid === sid)
    throw new Refusal("not-allowed", "This is the device you're using. Use Logout to sign out here.");
  await ctx.db.transaction(async (tx) => {
    await requireReauthentication(tx, user.id, ctx.clock.now());
    await tx.delete(sessions).where(eq(sessions.sid, ended.sid));
  });
}

function findOpen(ctx: Context, userId: string) {
  return ctx.db
    .select({ sid: sessions.sid, sess: sessions.sess })
    .from(sessions)
    .where(openOf(userId, ctx.clock.now()));
}

function nameOf(sid: string): string {
  return hash("sha256", `session ${sid}`, "base64url").slice(0, 22);
}
