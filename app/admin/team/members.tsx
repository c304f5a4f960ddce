import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Team, TeamMember } from "#contract/admin/team.ts";
import type { StaffRole } from "#contract/roles.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { RoleBadge } from "./role-badge.tsx";

export interface Asked {
  email: string;
  current: StaffRole | null;
  to: StaffRole;
}

export function Members({ team, onAsk }: { team: Team; onAsk: (asked: Asked) => void }) {
  const columns: readonly Column<TeamMember>[] = [
    { key: "person", label: "Person", wide: true, cell: (member) => <Person member={member} /> },
    { key: "role", label: "Role", cell: (member) => <RoleCell member={member} /> },
    {
      key: "seen",
      label: "Last sign-in",
      cell: ({ lastSignInAt }) => (lastSignInAt ? formatShortDay(lastSignInAt) : "Not yet"),
    },
    { key: "factor", label: "Second factor", cell: ({ secondFactor }) => secondFactorWords[secondFactor] },
    {
      key: "actions",
      label: "",
      cell: ({ mayChange, role, name, email }) =>
        mayChange && role !== "coach" ? (
          <Button
            variant="outline"
            size="small"
            aria-label={`Change the role of ${name}`}
            onClick={() => onAsk({ email, current: role, to: role })}
          >
            Change
          </Button>
        ) : null,
    },
  ];
  return (
    <div>
      <Table caption="Team" columns={columns} rows={team.members} rowKey={({ userId }) => userId} />
      {team.unclaimed.length > 0 && (
        <p className="mt-4 max-w-[75ch] text-ink-soft text-sm wrap-anywhere">
          The server’s configuration also makes {team.unclaimed.join(", ")} an owner, once an account confirms that
          address.
        </p>
      )}
    </div>
  );
}

const secondFactorWords = {
  on: "On",
  off: "Off",
  unknown: "Unknown until the next sign-in",
  provider: "Decided by your provider",
} as const;

function Person({ member: { userId, name, email, isSelf } }: { member: TeamMember }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to={href.adminUser(userId)}
          className="font-bold decoration-2 underline-offset-4 hover:underline wrap-anywhere"
        >
          {name}
        </Link>
        {isSelf && <Badge>You</Badge>}
      </p>
      {name !== email && <p className="text-fine text-ink-soft wrap-anywhere">{email}</p>}
    </div>
  );
}

const waiting = {
  confirmation: "Starts once the address is confirmed",
  reactivation: "Suspended. The role returns on reactivation",
} as const;

function RoleCell({ member: { role, isRoot, coaches, waitsFor } }: { member: TeamMember }) {
  const notes = [
    isRoot && "Set in the server’s configuration",
    coaches && role !== "coach" && "Also a coach",
    waitsFor && waiting[waitsFor],
  ].filter(Boolean);
  return (
    <div className="grid justify-items-start gap-1 @4xl:min-w-44">
      <RoleBadge role={role} />
      {notes.length > 0 && <p className="text-fine text-ink-soft">{notes.join(". ")}</p>}
    </div>
  );
}
