import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Tier } from "./tiers.ts";

/** Shown when an account is blocked without a recorded reason. */
export const defaultBlockReason = "Account temporarily restricted";

/** No union, so that a status of another system is shown as it is. */
export const AccountStatus = z
  .string()
  .describe("active, on_hold, suspended; deleted where a deleted account is shown; another one is shown as it is")
  .meta({ id: "AccountStatus" });

/** Account statuses without access, until a payment or an administrator ends them. */
export const blockedStatuses: readonly string[] = ["on_hold", "suspended"];

export const CourseAccess = z
  .object({
    hasAccess: z.boolean(),
    tier: Tier.nullable().describe("The highest tier in force, also while the account is blocked"),
    accountStatus: AccountStatus,
    suspensionReason: z.string().nullable().describe("Why the account is blocked; null when it is not"),
    until: z.iso.datetime().nullable().describe("When the tier ends; null when it never does or there is none"),
    source: z
      .string()
      .nullable()
      .describe(
        "What gave the tier: purchase, renewal, grace, administrator, credit-returned, import; team for who works for the academy, without a plan",
      ),
  })
  .meta({ id: "CourseAccess" });
export type CourseAccess = z.infer<typeof CourseAccess>;

export const getCourseAccess = endpoint({
  method: "GET",
  path: "/api/course-access",
  summary: "Whether the signed-in student may use the course, by which tier, until when, and what blocks it",
  reply: CourseAccess,
});
