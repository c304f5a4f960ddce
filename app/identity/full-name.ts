import type { CurrentUser } from "#contract/identity/identity.ts";

/** First and last name, as far as known, else the email address. */
export function fullNameOf({ firstName, lastName, email }: CurrentUser): string {
  return [firstName, lastName].filter(Boolean).join(" ") || email;
}
