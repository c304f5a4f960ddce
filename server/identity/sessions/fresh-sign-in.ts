import { freshSignInHours, freshSignInMinutes } from "#contract/fresh-sign-in.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { SessionData } from "../tables.ts";
import { mergeIntoSession } from "./seeing.ts";
import type { SignedIn } from "./sessions.ts";

const recent = 10 * MINUTE;
/** Not with each call, to save writes. */
const confirmEvery = 1 * MINUTE;

/** Against a browser that somebody left open. @throws Refusal sign-in-again. */
export function requireRecentSignIn(ctx: Context, { session }: SignedIn): void {
  if (ctx.clock.now() <= after(new Date(session.authenticatedAt), recent)) return;
  throw new Refusal("sign-in-again", "Please sign in again so we know it's you.");
}

/**
 * Against a stolen session. The session stays fresh for some minutes more.
 * @throws Refusal sign-in-again, also when the provider did not say when the user authenticated.
 */
export async function requireFreshSignIn(
  { clock, db }: Pick<Context, "clock" | "db">,
  signedIn: SignedIn,
): Promise<void> {
  const { session, sid } = signedIn;
  const now = clock.now();
  if (!isFresh(session, now)) {
    const hasJustSignedIn = isFresh({ ...session, isAuthenticationTold: true }, now);
    const advice = hasJustSignedIn
      ? " If you just did, your sign-in provider doesn't report when you signed in. Have it send auth_time."
      : "";
    throw new Refusal("sign-in-again", `Sign in again to do this.${advice}`);
  }
  if (now <= after(new Date(session.confirmedAt ?? session.authenticatedAt), confirmEvery)) return;
  await mergeIntoSession(db, sid, { confirmedAt: now.toISOString() });
}

export function isFresh({ authenticatedAt, confirmedAt, isAuthenticationTold }: SessionData, now: Date): boolean {
  const last = new Date(confirmedAt ?? authenticatedAt);
  return (
    isAuthenticationTold &&
    now <= after(last, freshSignInMinutes * MINUTE) &&
    now <= after(new Date(authenticatedAt), freshSignInHours * HOUR)
  );
}
