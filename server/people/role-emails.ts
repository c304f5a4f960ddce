import { href } from "#contract/addresses.ts";
import { roleLabels, type StaffRole } from "#contract/roles.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { greeting, type Reader, type WrittenEmail } from "#server/mail/wording.ts";

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

function writeRoleChanged(reader: Reader, { to }: RoleChangedFacts): WrittenEmail {
  const { name, supportEmail } = reader.academy;
  const closing = `If you did not expect this, write to ${supportEmail}.`;
  if (!to) {
    const subject = `You no longer have a role at ${name}`;
    const paragraphs = [
      greeting(reader),
      `An owner of ${name} has taken your role in the team. What you bought as a student stays yours.`,
    ];
    return { subject, content: { heading: subject, paragraphs, closing } };
  }
  const subject = `Your role at ${name}: ${roleLabels[to]}`;
  return {
    subject,
    content: {
      heading: subject,
      paragraphs: [
        greeting(reader),
        `An owner of ${name} has given you the role ${roleLabels[to]}. Sign in with this address to use it; where you were signed in before, you may be asked to sign in again.`,
      ],
      action: { text: "Open the administration", url: `${reader.publicUrl}${href.admin()}` },
      closing,
    },
  };
}

function writeTeamChanged(reader: Reader, { member, actor, from, to }: TeamChangedFacts): WrittenEmail {
  const words = (role: StaffRole | null) => (role ? roleLabels[role] : "No role");
  return {
    subject: `A role in the team of ${reader.academy.name} has changed`,
    content: {
      heading: "A role in the team has changed",
      paragraphs: [greeting(reader), "This is what changed. The audit log says why."],
      rows: [
        ["Person", member],
        ["Before", words(from)],
        ["Now", words(to)],
        ["Changed by", actor],
      ],
      action: { text: "See the team", url: `${reader.publicUrl}/admin/team` },
      closing: "You receive this because you are an owner.",
    },
  };
}
