import { and, eq, ne, sql } from "drizzle-orm";
import { claimedEmail } from "#contract/email-address.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import type { Identity, Person } from "#server/openid/openid.ts";
import { identities, users } from "./tables.ts";
import { deleted, findUserByIdentity, lockUser, type User } from "./users.ts";

/**
 * Finds users by issuer and subject, so that nobody signs in as another by an address.
 * @param usedSecondFactor null where the provider does not tell
 * @throws Refusal email-taken, sign-in-failed.
 */
export async function recordSignIn(
  ctx: Pick<Context, "clock">,
  tx: Db,
  person: Person,
  usedSecondFactor: boolean | null = null,
): Promise<User> {
  const email = claimedEmail(person.email ?? "");
  if (!email) {
    throw new Refusal("sign-in-failed", "Your sign-in provider didn't give us an email address we can use.");
  }
  const now = ctx.clock.now();
  const known = await findUserByIdentity(tx, person);
  if (known) {
    const user = await lockUser(tx, known.id);
    if (user.accountStatus === deleted) throw new Refusal("sign-in-failed", "This account was just deleted.");
    await recordReturn(tx, person, usedSecondFactor, now);
    return recordAddress(tx, user, { ...person, email }, now);
  }
  if (person.emailVerified) await freeAddress(tx, email, null, now);
  const [made] = await tx
    .insert(users)
    .values({
      email,
      emailVerified: person.emailVerified,
      firstName: person.firstName,
      lastName: person.lastName,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (!made) {
    throw new Refusal(
      "email-taken",
      "There's already an account with this email address. Sign in the way you did before.",
    );
  }
  await recordEvent(tx, "user.created", { id: made.id, userId: made.id }, now);
  await tx.insert(identities).values({
    issuer: person.issuer,
    subject: person.subject,
    userId: made.id,
    createdAt: now,
    lastSignInAt: now,
    usedSecondFactor,
  });
  return made;
}

/** Gives the address to the user who confirmed it. The other keeps id, sign-in and purchases. */
async function freeAddress(tx: Db, email: string, exceptUserId: string | null, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ email: sql`'unconfirmed-' || ${users.id} || '@unconfirmed.invalid'`, updatedAt: now })
    .where(
      and(
        eq(sql`lower(${users.email})`, email),
        eq(users.emailVerified, false),
        exceptUserId ? ne(users.id, exceptUserId) : undefined,
      ),
    );
}

async function recordReturn(
  tx: Db,
  { issuer, subject }: Identity,
  usedSecondFactor: boolean | null,
  now: Date,
): Promise<void> {
  // Some providers name the methods of a sign-in only if there was a second factor.
  const silence = sql`case when ${identities.usedSecondFactor} is not null then false end`;
  await tx
    .update(identities)
    .set({ lastSignInAt: now, usedSecondFactor: usedSecondFactor ?? silence })
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
}

async function recordAddress(tx: Db, user: User, person: Person, now: Date): Promise<User> {
  if (user.email === person.email && user.emailVerified === person.emailVerified) return user;
  if (person.emailVerified) await freeAddress(tx, person.email, user.id, now);
  // A provider that does not say when counts for a sign-in that happens now, and for no older one.
  const emailVerifiedAt = person.emailVerified ? (person.emailVerifiedAt ?? after(now, -MINUTE)) : null;
  try {
    const [updated] = await tx.transaction((nested) =>
      nested
        .update(users)
        .set({ email: person.email, emailVerified: person.emailVerified, emailVerifiedAt, updatedAt: now })
        .where(eq(users.id, user.id))
        .returning(),
    );
    return updated ?? user;
  } catch (error) {
    if (isUniqueViolation(error, "users_email_unique")) return user;
    throw error;
  }
}
