import { href } from "#contract/addresses.ts";
import { roleLabels, type StaffRole } from "#contract/roles.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import type { Reader, WrittenEmail } from "#server/mail/wording.ts";

export interface RoleChangedFacts {
  readonly from: StaffRole | null;
  readonly to: StaffRole | null;
}

/** Goes to the person whose role changed. */
export const roleChangedEmail: StudentEmail<RoleChangedFacts> = { kind: "role-changed", write: writeRoleChanged };

export interface TeamChangedFacts extends RoleChangedFacts {
  /** Addresses. */
  readonly member: string;
  readonly actor: string;
}

/** Goes to all owners, the acting one included, so that nobody joins the team unnoticed. */
export const teamChangedEmail: StudentEmail<TeamChangedFacts> = { kind: "team-changed", write: writeTeamChanged };

function writeRoleChanged({ to }: RoleChangedFacts, reader: Reader): WrittenEmail {
  const { name, supportEmail } = reader.academy;
  const closing = `If you didn't expect this, write to ${supportEmail}.`;
  if (!to) {
    return {
      subject: `You no longer have a role at ${name}`,
      paragraphs: [`An owner of ${name} removed you from the team. You keep everything you bought as a student.`],
      closing,
    };
  }
  return {
    subject: `Your role at ${name}: ${roleLabels[to]}`,
    paragraphs: [
      `An owner of ${name} gave you the ${roleLabels[to]} role. Sign in with this email address to use it. If you're already signed in, you may need to sign in again.`,
    ],
    link: ["Go to the admin area", href.admin()],
    closing,
  };
}

function writeTeamChanged({ member, actor, from, to }: TeamChangedFacts, reader: Reader): WrittenEmail {
  const words = (role: StaffRole | null) => (role ? roleLabels[role] : "No role");
  return {
    subject: `A team role changed at ${reader.academy.name}`,
    heading: "A team role changed",
    paragraphs: [`${actor} changed the role of ${member}. The reason is in the audit log.`],
    rows: [
      ["Person", member],
      ["Before", words(from)],
      ["Now", words(to)],
      ["Changed by", actor],
    ],
    link: ["See the team", "/admin/team"],
    closing: "You're getting this email because you're an owner.",
  };
}
