import type pg from "pg";
import { type Role, roles } from "#contract/roles.ts";

/** Who has a role by the rows of a database. */
export interface RestoredTeam {
  readonly people: readonly RestoredPerson[];
  readonly invited: readonly { readonly email: string; readonly role: string }[];
}

interface RestoredPerson {
  readonly email: string;
  readonly isConfirmed: boolean;
  readonly isSuspended: boolean;
  /** Null: only ADMIN_EMAILS names the person. */
  readonly role: Role | null;
}

export async function readRestoredTeam(client: pg.ClientBase, adminEmails: readonly string[]): Promise<RestoredTeam> {
  const { rows: people } = await client.query<RestoredPerson>(
    `select * from (select lower(email) as email, email_verified as "isConfirmed",
        account_status = 'suspended' as "isSuspended",
        case when role is not null then role
          when exists (select from coaches where user_id = users.id and is_active) then 'coach' end as role
      from users where account_status <> 'deleted') as people
      where role is not null or email = any($1) order by email`,
    [adminEmails],
  );
  const { rows: invited } = await client.query<{ email: string; role: string }>(
    "select email, role from invitations where role is not null and accepted_at is null order by email",
  );
  return { people, invited };
}

/** Lines for an operator: who has which role, and where that differs from ADMIN_EMAILS. */
export function teamLines({ people, invited }: RestoredTeam, adminEmails: readonly string[]): string[] {
  const isNamed = ({ email }: { readonly email: string }) => adminEmails.includes(email);
  const isRoot = (person: RestoredPerson) => isNamed(person) && person.isConfirmed;
  const roleOf = (person: RestoredPerson) => (isRoot(person) ? "owner" : person.role);
  const noteOn = (person: RestoredPerson) => {
    if (isRoot(person)) return "by ADMIN_EMAILS";
    if (!person.isConfirmed) return "counts once the address is confirmed";
    if (person.isSuspended) return "suspended: counts once reactivated";
    return person.role === "owner" ? "by the backup alone: not in ADMIN_EMAILS" : "by the backup";
  };
  const held = roles.flatMap((role) =>
    people
      .filter((person) => roleOf(person) === role)
      .map((person) => `  ${role}: ${person.email} (${noteOn(person)})`),
  );
  const asked = invited.map(({ email, role }) => `  invited as ${role}: ${email}`);
  const unclaimed = adminEmails.filter((email) => !people.some((person) => person.email === email && isRoot(person)));
  return [
    "Roles are those of the backup: people who were dismissed since have theirs again.",
    ...held,
    ...asked,
    ...(unclaimed.length > 0
      ? [`ADMIN_EMAILS names ${unclaimed.join(", ")}, which no account of the backup has confirmed.`]
      : []),
    "Take away what should be gone at /admin/team; an owner of ADMIN_EMAILS confirms the team there. Until then no invitation to a role is accepted.",
  ];
}
