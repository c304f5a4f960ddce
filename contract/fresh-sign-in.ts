import type { Endpoint } from "./endpoint.ts";
import type { Permission } from "./permissions.ts";

/** The permissions whose changes need no fresh sign-in, each with the reason. All others do. */
const permissionsWithoutFreshSignIn: Readonly<Partial<Record<Permission, string>>> = {
  "people:write": "Writes to one person at a time, and every message is logged",
  "messages:answer": "Answers people who have written to the academy",
  "questions:answer": "Everything can be taken back, and is logged",
  "renewals:stop": "Charges nobody, and the student can resume",
  "coaching:book": "Moves one session at a time, and emails both sides",
  "sessions:hold": "Concerns a coach's own sessions",
};

/**
 * A sign-in is fresh for this many minutes, and again for as many after each call that needs a fresh one, until
 * `freshSignInHours` after the sign-in.
 */
export const freshSignInMinutes = 15;
export const freshSignInHours = 4;

/**
 * Whether the caller must have signed in recently. A changing call of the team does, unless a reason is written down
 * for its permission or for the call itself.
 */
export function needsFreshSignIn({
  method,
  permission,
  withoutFreshSignIn,
}: Pick<Endpoint, "permission" | "withoutFreshSignIn"> & { readonly method: string }): boolean {
  const isChange = method !== "GET" && method !== "HEAD";
  return isChange && permission !== undefined && !withoutFreshSignIn && !permissionsWithoutFreshSignIn[permission];
}
