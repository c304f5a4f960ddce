import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { StaffRole } from "./roles.ts";
import { Tier } from "./tiers.ts";

export const OwnInvitation = z
  .object({
    invitation: z
      .object({
        tier: Tier.nullable(),
        role: StaffRole.nullable().describe("In the team"),
        expiresAt: z.iso.datetime(),
      })
      .nullable()
      .describe("Null: there is none for this person's address, or the address is not confirmed"),
    isConfirmed: z.boolean().describe("Whether the address of the account is confirmed"),
  })
  .meta({ id: "OwnInvitation" });
export type OwnInvitation = z.infer<typeof OwnInvitation>;

export const getInvitation = endpoint({
  method: "GET",
  path: "/api/user/invitation",
  summary: "The invitation that waits for the signed-in person",
  reply: OwnInvitation,
});

export const acceptInvitation = endpoint({
  method: "POST",
  path: "/api/user/invitation/accept",
  summary: "Accepts it, once; what it opens begins now. A role ends every sign-in: it counts from the next one",
  body: z.strictObject({}),
  reply: z.object({ success: z.literal(true), tier: Tier.nullable(), role: StaffRole.nullable() }),
});
