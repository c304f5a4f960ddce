import type { CurrentUser } from "#contract/identity/identity.ts";

/** For users who are paying, next to the field with their address. Null once it is confirmed. */
export function confirmationNote(user: CurrentUser): string | null {
  if (user.emailVerified || !user.accountUrl) return null;
  if (hasLostAddress(user)) return "We can't reach you at your account's address. You can correct it after you pay.";
  return `Please confirm ${user.email}: open the link that we sent you. You can do this after you pay.`;
}

/** Whether another account has confirmed this user's address and thereby taken it. */
export function hasLostAddress({ email }: CurrentUser): boolean {
  return email.endsWith(".invalid");
}
