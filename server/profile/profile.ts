import type { CurrentUser } from "#contract/identity/identity.ts";
import type { ProfileChange } from "#contract/profile.ts";
import type { Context } from "#server/context/context.ts";
import { changeProfile, presentUser, type User } from "#server/identity/users.ts";

/** An empty string clears the field. @throws Refusal conflict for another version than it was made from. */
export async function saveProfile(
  ctx: Context,
  user: User,
  change: ProfileChange,
  version: string | undefined,
): Promise<CurrentUser> {
  const { firstName, lastName, phone, location, bio } = change;
  const profile = {
    firstName: firstName || null,
    lastName: lastName || null,
    phone: phone || null,
    location: location || null,
    bio: bio || null,
  };
  const now = ctx.clock.now();
  const saved = await ctx.db.transaction((tx) => changeProfile(tx, user.id, { profile, version }, now));
  return presentUser(ctx, { ...user, ...saved });
}
