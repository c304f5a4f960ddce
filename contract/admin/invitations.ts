import { z } from "zod";
import { EmailAddress } from "../email-address.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { Done, pageOf, paging, recordId, search } from "./admin.ts";

const tier = Tier.nullable().describe("Opens for as long as its plan lasts, once it is accepted; null: nothing opens");

export const Invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    tier,
    author: z.string(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable().describe("Null: its email is on its way"),
    acceptedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

const path = "/api/admin/invitations";

export const InvitationFilter = z.strictObject({ search });
export type InvitationFilter = z.infer<typeof InvitationFilter>;

export const listInvitations = endpoint({
  method: "GET",
  path,
  summary: "The invitations that have not expired, the newest first, a page of them; those to a role are with the team",
  permission: "access:give",
  query: InvitationFilter.extend(paging),
  reply: pageOf(Invitation),
});

export const NewInvitation = z.strictObject({ email: EmailAddress, tier });

export const invite = endpoint({
  method: "POST",
  path,
  summary: "Invites an address by email; one that was invited and has not accepted is invited anew",
  permission: "access:give",
  body: NewInvitation,
  reply: Done,
});

export const revokeInvitation = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Takes back an invitation that was not accepted",
  permission: "access:give",
  withoutFreshSignIn: "Takes back what nobody has accepted",
  params: z.object({ id: recordId }),
  body: z.strictObject({}).nullish(),
  reply: Done,
});
