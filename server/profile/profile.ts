import type { CurrentUser } from "#contract/identity/identity.ts";
import type { ProfileChange } from "#contract/profile.ts";
import type { Context } from "#server/context/context.ts";
import { changeProfile, presentUser, type User } from "#server/identity/users.ts";

/** An empty text clears the field. */
export async function saveProfile(ctx: Context, user: User, change: ProfileChange): Promise<CurrentUser> {
  const { firstName, lastName, phone, location, bio } = change;
  const kept = {
    firstName: firstName || null,
    lastName: lastName || null,
    phone: phone || null,
    location: location || null,
    bio: bio || null,
  };
  return presentUser(ctx, await changeProfile(ctx.db, user.id, kept, ctx.clock.now()));
}
