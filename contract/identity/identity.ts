import { z } from "zod";
import { AccountStatus } from "../access.ts";
import { endpoint } from "../endpoint.ts";
import { StaffRole } from "../roles.ts";
import { Tier } from "../tiers.ts";
import { Version } from "../version.ts";

export const CurrentUser = z
  .object({
    id: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    phone: z.string().nullable(),
    location: z.string().nullable(),
    bio: z.string().nullable(),
    profileVersion: Version.describe("Changes with the five fields that the person may change"),
    profileImageUrl: z.string().nullable(),
    hasPurchasedCourse: z.boolean(),
    purchasedTier: Tier.nullable(),
    accountStatus: AccountStatus,
    role: StaffRole.nullable().describe("In the administration; null for students, and for coaches who have no other"),
    isCoach: z.boolean(),
    isAdmin: z.boolean().describe("Decided by the server; the client only shows or hides by it"),
    needsSecondFactor: z
      .boolean()
      .describe(
        "Whether the role counts for nothing in this session, since the team must sign in with a second factor",
      ),
    accountUrl: z
      .string()
      .nullable()
      .describe("Where the person changes email and password; null when that is their provider's business"),
    createdAt: z.iso.datetime(),
    seenForSeconds: z
      .int()
      .nullable()
      .describe("How long an administrator still sees the academy as this student; null for the person themself"),
  })
  .meta({ id: "CurrentUser" });
export type CurrentUser = z.infer<typeof CurrentUser>;

/** The id of the user for whom a page was loaded. A call is refused when the session is another user's. */
export const viewerHeader = "x-viewer";

export const getCurrentUser = endpoint({
  method: "GET",
  path: "/api/auth/user",
  summary: "The person who is signed in; 401 for visitors",
  reply: CurrentUser,
});

export const stopSeeing = endpoint({
  method: "DELETE",
  path: "/api/auth/seeing",
  summary: "Ends seeing the academy as a student",
  whileSeeing: "allowed",
  reply: z.object({ success: z.literal(true) }),
});

export const sendConfirmationMail = endpoint({
  method: "POST",
  path: "/api/user/confirmation-mail",
  summary: "Emails the signed-in person a new link that confirms their address",
  reply: z.object({ sentTo: z.string() }),
});

/** The URL for signing in, which returns to `returnTo`, a path of this site. */
export function loginUrl(returnTo?: string): string {
  return returnTo ? `/api/login?returnTo=${encodeURIComponent(returnTo)}` : "/api/login";
}

/** The same for a visitor without an account. */
export function signUpUrl(returnTo: string): string {
  return `${loginUrl(returnTo)}&create=true`;
}

/** The same for a signed-in user who must authenticate again. */
export function loginAgainUrl(returnTo: string): string {
  return `${loginUrl(returnTo)}&again=true`;
}

export const logoutUrl = "/api/logout";
