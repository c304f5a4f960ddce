import { randomBytes, hash as sha } from "node:crypto";
import { and, asc, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { mostTokens, type Token, type TokenTerms } from "#contract/admin/tokens.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { nameOf } from "../names.ts";
import { tokens, users } from "../tables.ts";
import { type User, userMay } from "../users.ts";

/** Those that expired stay for a while, so that owners see why a tool has stopped. */
export const tokenRetention: RetentionRule = { table: tokens, from: tokens.expiresAt, keptFor: 90 * DAY };

export async function listTokens(ctx: Context): Promise<Token[]> {
  const now = ctx.clock.now();
  const rows = await ctx.db
    .select({ token: tokens, creator: users })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .orderBy(desc(tokens.createdAt), asc(tokens.id));
  return rows.map(({ token, creator }) => ({
    ...token,
    creatorName: nameOf(creator),
    state: token.expiresAt <= now ? "expired" : mayHaveTokens(ctx, creator) ? "active" : "stopped",
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt.toISOString(),
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  }));
}

/** For the person's own export. */
export function listTokensOf(db: Db, userId: string) {
  const { name, scopes, createdAt, expiresAt, lastUsedAt } = tokens;
  return db
    .select({ name, scopes, createdAt, expiresAt, lastUsedAt })
    .from(tokens)
    .where(eq(tokens.userId, userId))
    .orderBy(asc(createdAt));
}

/** @throws Refusal invalid-input for the name of another token; conflict when there are fifty. */
export async function createToken(ctx: Context, actor: User, { name, scopes, expiresInDays }: TokenTerms) {
  const id = newId();
  const token = `acad_${randomBytes(32).toString("base64url")}`;
  await audited(ctx, { actor, action: "create token", subject: id }, async (tx, now) => {
    // Two that are created at the same time must not make 51, or have one name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('tokens', 0))`);
    const unexpired = await tx.select({ name: tokens.name }).from(tokens).where(gt(tokens.expiresAt, now));
    if (unexpired.length >= mostTokens) {
      throw new Refusal("conflict", `You can have ${mostTokens} tokens. Revoke one first.`);
    }
    if (unexpired.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      throw invalidFields({ name: ["Another token has this name"] });
    }
    const terms = { name, scopes: [...new Set(scopes)], expiresAt: after(now, expiresInDays * DAY) };
    await tx.insert(tokens).values({ id, userId: actor.id, hash: hashOf(token), ...terms, createdAt: now });
    return { after: terms };
  });
  return { id, token };
}

/** @throws Refusal not-found. */
export async function revokeToken(ctx: Context, actor: User, id: string): Promise<void> {
  await audited(ctx, { actor, action: "revoke token", subject: id }, async (tx) => {
    const [revoked] = await tx.delete(tokens).where(eq(tokens.id, id)).returning();
    if (!revoked) throw notFound("token");
    const { name, scopes, expiresAt } = revoked;
    return { before: { name, scopes, expiresAt } };
  });
}

/** Who created the token, as long as both are in force. */
export async function findCreatorBy(ctx: Context, token: string): Promise<User | null> {
  const [found] = await ctx.db
    .select({ id: tokens.id, name: tokens.name, scopes: tokens.scopes, creator: users })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(eq(tokens.hash, hashOf(token)), gt(tokens.expiresAt, ctx.clock.now())));
  if (!found || !mayHaveTokens(ctx, found.creator)) return null;
  const { creator, ...own } = found;
  return { ...creator, token: own };
}

/** Once a minute, to save writes. */
export async function recordUse(db: Db, id: string, now: Date): Promise<void> {
  const isOld = or(isNull(tokens.lastUsedAt), lt(tokens.lastUsedAt, after(now, -MINUTE)));
  await db
    .update(tokens)
    .set({ lastUsedAt: now })
    .where(and(eq(tokens.id, id), isOld));
}

function mayHaveTokens(ctx: Context, user: User): boolean {
  return userMay(ctx, user, "settings:write");
}

/** Without a key: 256 random bits cannot be found by trying. */
function hashOf(token: string): string {
  return sha("sha256", token, "base64url");
}
