import { and, asc, eq, isNull, lte, max, ne, sql } from "drizzle-orm";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { isAdministration, type Permission, roleMay } from "#contract/permissions.ts";
import type { Role, StaffRole } from "#contract/roles.ts";
import { Tier } from "#contract/tiers.ts";
import { scopesInclude, type TokenScope } from "#contract/token-scopes.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isForeignKeyViolation } from "#server/db/db.ts";
import type { Identity, Person } from "#server/openid/openid.ts";
import { identities, tokens, users } from "./tables.ts";

/** The issuer's URL changes with PUBLIC_URL; its accounts stay the same. */
export const builtInIssuer = "built-in";

export type User = Omit<typeof users.$inferSelect, "searchText"> & {
  /** Set for a session without the second factor that the team must have: the role counts for nothing in it. */
  readonly lacksSecondFactor?: boolean;
  /** Set while another tool acts in the user's name, and for no longer than a request. */
  readonly token?: { readonly id: string; readonly name: string; readonly scopes: readonly TokenScope[] };
};

export const deleted = "deleted";

export const suspended = "suspended";

/** Null for erased users, and for those whose address its owner claimed. */
export function isReachable(user: User): boolean {
  return !user.email.endsWith(".invalid");
}

/** Null while the address is unconfirmed: anybody could have typed it. */
export function confirmedHashOf(
  { hashMailbox }: Pick<Context, "hashMailbox">,
  { email, emailVerified }: Pick<User, "email" | "emailVerified">,
): string | null {
  return emailVerified ? hashMailbox(email) : null;
}

/** Listed in ADMIN_EMAILS: an owner, whatever role the account has. */
export function isRoot(
  ctx: Pick<Context, "administratorEmails">,
  user: Pick<User, "email" | "emailVerified">,
): boolean {
  return user.emailVerified && ctx.administratorEmails.includes(user.email);
}

/**
 * Nothing else decides the role, least of all a claim of a sign-in provider. Coaches are those with a row in
 * `coaches`.
 */
export function roleOf(ctx: Pick<Context, "administratorEmails">, user: User): StaffRole | null {
  return user.lacksSecondFactor ? null : givenRole(ctx, user);
}

function givenRole(ctx: Pick<Context, "administratorEmails">, user: User): StaffRole | null {
  if (isRoot(ctx, user)) return "owner";
  const counts = user.emailVerified && user.accountStatus !== suspended && user.accountStatus !== deleted;
  return counts ? user.role : null;
}

/** Also of coaches who still offer sessions. */
export async function anyRoleOf(
  ctx: Pick<Context, "administratorEmails" | "coachOf">,
  user: User,
): Promise<Role | null> {
  return roleOf(ctx, user) ?? ((await ctx.coachOf(user))?.isActive ? "coach" : null);
}

/**
 * Whether the user works for the academy, as far as the role counts in this session. A former coach who only has
 * sessions left to give does not.
 */
export async function isOfTeam(ctx: Pick<Context, "administratorEmails" | "coachOf">, user: User): Promise<boolean> {
  return !user.lacksSecondFactor && (givenRole(ctx, user) !== null || (await ctx.coachOf(user))?.isActive === true);
}

/** By a token, only what its scopes include. */
export function userMay(ctx: Context, user: User, permission: Permission): boolean {
  return roleMay(roleOf(ctx, user), permission) && (!user.token || scopesInclude(user.token.scopes, permission));
}

const PurchasedTier = Tier.nullable();

/** @param seenUntil when an administrator stops seeing the academy as this user */
export async function presentUser(ctx: Context, user: User, seenUntil?: Date): Promise<CurrentUser> {
  const role = givenRole(ctx, user);
  const isCoach = (await ctx.coachOf(user)) !== null;
  return {
    ...user,
    profileVersion: profileVersionOf(user),
    purchasedTier: PurchasedTier.parse(user.purchasedTier),
    role,
    isCoach,
    isAdmin: isAdministration(role),
    needsSecondFactor: (role !== null || isCoach) && user.lacksSecondFactor === true,
    accountUrl: seenUntil ? null : ctx.openId.accountUrl,
    createdAt: user.createdAt.toISOString(),
    seenForSeconds: seenUntil ? Math.ceil((seenUntil.getTime() - ctx.clock.now().getTime()) / 1000) : null,
  };
}

type Profile = Pick<User, "firstName" | "lastName" | "phone" | "location" | "bio">;

function profileVersionOf({ firstName, lastName, phone, location, bio }: Profile): string {
  return versionOf({ firstName, lastName, phone, location, bio });
}

export async function listIdentitiesOf(db: Db, userId: string): Promise<Identity[]> {
  return db
    .select({ issuer: identities.issuer, subject: identities.subject })
    .from(identities)
    .where(eq(identities.userId, userId));
}

/** In lower case. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  return user ?? null;
}

/** @param emails in lower case */
export async function listUsersByEmail(db: Db, emails: readonly string[]): Promise<User[]> {
  return db
    .select()
    .from(users)
    .where(sql`lower(${users.email}) = any(${sql.param([...emails])})`);
}

export async function findUserByIdentity(db: Db, person: Identity): Promise<User | null> {
  const [row] = await db
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, person.issuer), eq(identities.subject, person.subject)));
  return row?.user ?? null;
}

/** For lists and badges; the grant ledger alone decides about access. */
export async function setAccessCache(
  db: Db,
  userId: string,
  { tier, hasPurchased }: { readonly tier: Tier | null; readonly hasPurchased: boolean },
  now: Date,
): Promise<void> {
  await db
    .update(users)
    .set({ purchasedTier: tier, hasPurchasedCourse: hasPurchased, updatedAt: now })
    .where(eq(users.id, userId));
}

/** Serializes decisions about one user. */
export async function lockUser(tx: Db, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
  if (!user) throw new Refusal("not-signed-in", "Please sign in.");
  return user;
}

/** For writes that must not happen to a deleted account. @throws Refusal not-found, also when it is deleted. */
export async function lockLiveUser(tx: Db, userId: string): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
  if (!user || user.accountStatus === deleted) throw notFound("account");
  return user;
}

export async function setAccountStatus(
  db: Db,
  userId: string,
  status: "active" | "on_hold" | "suspended",
  reason: string | null,
  now: Date,
): Promise<void> {
  await db
    .update(users)
    .set({ accountStatus: status, suspensionReason: reason, updatedAt: now })
    .where(eq(users.id, userId));
}

/** @throws Refusal not-found. */
export async function userById(db: Db, userId: string): Promise<User> {
  const user = await findUser(db, userId);
  if (!user) throw notFound("account");
  return user;
}

export async function findUser(db: Db, userId: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user ?? null;
}

/** @throws Refusal not-found, also for a deleted account. */
export async function liveUserById(db: Db, userId: string): Promise<User> {
  const user = await userById(db, userId);
  if (user.accountStatus === deleted) throw notFound("account");
  return user;
}

/** @throws Refusal not-found, conflict for another version than it was made from. */
export async function changeProfile(
  tx: Db,
  userId: string,
  { profile, version }: { readonly profile: Profile; readonly version: string | undefined },
  now: Date,
): Promise<User> {
  const before = await lockUser(tx, userId);
  if (before.accountStatus === deleted) throw notFound("account");
  requireVersion(version, profileVersionOf(before));
  const changed = { ...profile, updatedAt: now };
  await tx.update(users).set(changed).where(eq(users.id, userId));
  return { ...before, ...changed };
}

/** @returns the address of the previous picture. */
export async function changeProfileImage(
  tx: Db,
  userId: string,
  profileImageUrl: string | null,
  now: Date,
): Promise<string | null> {
  const before = await lockUser(tx, userId);
  if (before.accountStatus === deleted) throw notFound("account");
  await tx.update(users).set({ profileImageUrl, updatedAt: now }).where(eq(users.id, userId));
  return before.profileImageUrl;
}

export async function findUserByImage(db: Db, profileImageUrl: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.profileImageUrl, profileImageUrl));
  return user ?? null;
}

/** The row stays, because others refer to it. @returns the identities at providers. */
export async function forgetUser(tx: Db, userId: string, now: Date): Promise<Pick<Person, "issuer" | "subject">[]> {
  await tx
    .update(users)
    .set({
      email: `deleted-${userId}@deleted.invalid`,
      emailVerified: false,
      firstName: null,
      lastName: null,
      profileImageUrl: null,
      phone: null,
      location: null,
      bio: null,
      accountStatus: deleted,
      suspensionReason: null,
      role: null,
      updatedAt: now,
    })
    .where(eq(users.id, userId));
  await tx.delete(tokens).where(eq(tokens.userId, userId));
  return tx
    .delete(identities)
    .where(eq(identities.userId, userId))
    .returning({ issuer: identities.issuer, subject: identities.subject });
}

/** Those without a plan who were not signed in to since, the oldest first. */
export function listUnconfirmed(db: Db, before: Date, limit: number): Promise<User[]> {
  const lastSignIn = db
    .select({ at: max(identities.lastSignInAt) })
    .from(identities)
    .where(eq(identities.userId, users.id));
  return db
    .select()
    .from(users)
    .where(
      and(
        ...[eq(users.emailVerified, false), isNull(users.role), isNull(users.purchasedTier)],
        ...[ne(users.accountStatus, deleted), lte(users.createdAt, before)],
        sql`(${lastSignIn}) <= ${before.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(asc(users.createdAt))
    .limit(limit);
}

/** Call after `forgetUser`. A row that a record refers to stays, without personal data. */
export async function deleteUserRow(tx: Db, userId: string): Promise<void> {
  await tx
    .transaction((attempt) => attempt.delete(users).where(eq(users.id, userId)))
    .catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
    });
}

/** For what is given to whoever has the address. */
export function unconfirmed(): Refusal {
  return new Refusal("conflict", "This person hasn’t confirmed the address yet, so someone else may have entered it.");
}
