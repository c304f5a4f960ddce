import { z } from "zod";
import { EmailAddress } from "../email-address.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { recordId, requiredReason } from "./admin.ts";

const NewGrant = z
  .strictObject({
    userId: recordId.optional(),
    email: EmailAddress.optional().describe("The confirmed address of an account"),
    tier: Tier,
    until: z.iso
      .datetime()
      .nullable()
      .optional()
      .describe("In the future, null: never; without it access lasts as long as the tier's plan, from now"),
    reason: requiredReason.describe("For the audit log, without names or addresses"),
  })
  .refine(({ userId, email }) => (userId === undefined) !== (email === undefined), {
    path: ["userId"],
    error: "Send either userId or email",
  });

const Access = z.object({
  userId: z.string(),
  tier: Tier.nullable(),
  until: z.iso.datetime().nullable().describe("Null: never, or there is no access"),
});

export const grantAccess = endpoint({
  method: "POST",
  path: "/api/admin/grants",
  permission: "access:give",
  tokenScope: "write:grants",
  summary:
    "Gives access and takes none away. 201 when it gave some. 200 when the student has as much, or the same body was answered before with the same header `Idempotency-Key`, or on the same day (UTC) without one. 409 when it would end a membership, which an administrator can do on the person’s page",
  body: NewGrant,
  reply: Access,
  otherReplies: { 201: Access },
});
