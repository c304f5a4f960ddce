import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { EmailAddress } from "../email-address.ts";
import { endpoint } from "../endpoint.ts";
import { type Permission, permissions } from "../permissions.ts";
import { Role, StaffRole } from "../roles.ts";
import { recordId, requiredReason } from "./admin.ts";

export const TeamMember = z
  .object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    isRoot: z.boolean().describe("Named by ADMIN_EMAILS, which nothing in the product changes"),
    isSelf: z.boolean(),
    coaches: z.boolean(),
    waitsFor: z
      .enum(["confirmation", "reactivation"])
      .nullable()
      .describe("The role opens nothing until the address is confirmed, or the account reactivated"),
    lastSignInAt: z.iso.datetime().nullable(),
    secondFactor: z
      .enum(["on", "off", "unknown", "provider"])
      .describe(
        "Of the last sign-in; `unknown` until the next one, `provider` where the sign-in provider does not tell",
      ),
    mayChange: z.boolean().describe("Whether the caller may give another role, or take it"),
  })
  .meta({ id: "TeamMember" });
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamInvitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: StaffRole,
    author: z.string(),
    isVoid: z.boolean().describe("Who invited may give no roles any more, so that accepting it is refused"),
    expiresAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable().describe("Null: its email is on its way"),
  })
  .meta({ id: "TeamInvitation" });
export type TeamInvitation = z.infer<typeof TeamInvitation>;

export const Team = z
  .object({
    // Without pages, because a team has few members, and whoever gives a role needs to see all of them.
    members: z.array(TeamMember).describe("Owners first, coaches last"),
    unclaimed: z.array(z.string()).describe("Addresses of ADMIN_EMAILS that no account has confirmed"),
    invitations: z.array(TeamInvitation).describe("Roles that nobody has accepted yet, the newest first"),
    mayGive: z.boolean().describe("Whether the caller may give roles"),
    needsSecondFactor: z.boolean().describe("Whether roles count only in sessions that began with a second factor"),
    mayRequireSecondFactor: z
      .enum(["yes", "sign-in-with-one", "provider-decides"])
      .describe("Whether the caller's own session would still count, which it must"),
    restoredAt: z.iso
      .datetime()
      .nullable()
      .describe("When a backup was restored, whose roles count, until the team is confirmed"),
    mayConfirm: z.boolean().describe("Whether the caller may confirm it: whom ADMIN_EMAILS names"),
  })
  .meta({ id: "Team" });
export type Team = z.infer<typeof Team>;

export const getTeam = endpoint({
  method: "GET",
  path: "/api/admin/team",
  summary: "Who has a role in the academy",
  permission: "team:read",
  reply: Team,
});

export const requireSecondFactor = endpoint({
  method: "PUT",
  path: "/api/admin/team/second-factor",
  summary:
    "Makes roles count only in sessions that began with a second factor, as the caller's must have, or in all sessions again",
  permission: "team:write",
  body: z.strictObject({ isRequired: z.boolean() }),
  reply: Team,
});

const PermissionName = z.enum(Object.keys(permissions) as [Permission, ...Permission[]]);

export const RoleChange = z
  .object({
    userId: z.string().nullable().describe("Null: no account has confirmed the address, so it is invited"),
    name: z.string(),
    email: z.string(),
    from: StaffRole.nullable(),
    to: StaffRole.nullable(),
    gains: z.array(PermissionName),
    loses: z.array(PermissionName),
    endsSessions: z.boolean().describe("Whether the person has to sign in anew, as whenever a role gives more"),
  })
  .meta({ id: "RoleChange" });
export type RoleChange = z.infer<typeof RoleChange>;

export const previewRole = endpoint({
  method: "GET",
  path: "/api/admin/team/change",
  summary:
    "What giving a role to the account with an address, or an invitation, would change; refused as the change itself would be",
  permission: "team:write",
  query: z.strictObject({
    email: EmailAddress,
    to: z.enum([...StaffRole.options, "none"]),
  }),
  reply: RoleChange,
});

export const RoleAssignment = z.strictObject({
  from: StaffRole.nullable().describe("The role that the caller saw: refused when it is another one by now"),
  to: StaffRole.nullable().describe("Null takes the role"),
  reason: requiredReason,
});

export const changeRole = endpoint({
  method: "PUT",
  path: "/api/admin/team/{userId}",
  summary: "Gives an account a role in the academy, or takes it; the person and the owners are told by email",
  permission: "team:write",
  params: z.object({ userId: recordId }),
  body: RoleAssignment,
  reply: Team,
});

export const NewTeamInvitation = z.strictObject({ email: EmailAddress, role: StaffRole, reason: requiredReason });

export const inviteToTeam = endpoint({
  method: "POST",
  path: "/api/admin/team/invitations",
  summary:
    "Invites an address by email to a role, which begins when the account with that address, confirmed, accepts it within 7 days and the inviter may still give roles",
  permission: "team:write",
  body: NewTeamInvitation,
  reply: Team,
});

export const revokeTeamInvitation = endpoint({
  method: "DELETE",
  path: "/api/admin/team/invitations/{id}",
  summary: "Takes back an invitation to a role that was not accepted",
  permission: "team:write",
  withoutFreshSignIn: "Takes back what nobody has accepted",
  params: z.object({ id: recordId }),
  body: z.strictObject({}).nullish(),
  reply: Team,
});

export const confirmTeam = endpoint({
  method: "POST",
  path: "/api/admin/team/confirm",
  summary: "Confirms that the roles which a restored backup brought back are right; for owners whom ADMIN_EMAILS names",
  permission: "team:write",
  body: z.strictObject({
    restoredAt: z.iso
      .datetime()
      .refine(isInCalendar, "Not a date of this calendar")
      .describe("Of the restore that the caller saw"),
  }),
  reply: Team,
});
