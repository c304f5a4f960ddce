import { Link } from "react-router";
import type { z } from "zod";
import { queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useResumable } from "#app/editing/resumable.ts";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { href } from "#contract/addresses.ts";
import { getTeam, NewTeamInvitation, type Team, type TeamMember } from "#contract/admin/team.ts";
import { roleLabels, type StaffRole, staffRoles } from "#contract/roles.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { AdminPage } from "../admin-page.tsx";
import { useLoaded } from "../loaded.tsx";
import { Panel } from "../panel.tsx";
import { Restored } from "./restored.tsx";
import { RoleBadge } from "./role-badge.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { RolesPanel } from "./roles-panel.tsx";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { TeamInvitations } from "./team-invitations.tsx";

/** The team's members and what each role may do. Owners give and take roles. */
export default function TeamPage() {
  return (
    <AdminPage
      title="Team"
      description="Who has a role in the academy, and what each role can do."
      lead="Each person has one role. A new role takes effect at the next sign-in. A removed role ends right away."
    >
      <Everything />
    </AdminPage>
  );
}

TeamPage.queries = () => [queryOf(getTeam)];

interface Asked {
  email: string;
  current: StaffRole | null;
  to: StaffRole;
}

function Everything() {
  const { data, instead } = useLoaded(queryOf(getTeam), "team");
  const [asked, setAsked] = useResumable<Asked | null>("role", null);
  if (!data) return instead;
  return (
    <div className="grid gap-6">
      {data.restoredAt && <Restored restoredAt={data.restoredAt} mayConfirm={data.mayConfirm} />}
      {data.mayGive && <GiveForm onAsk={setAsked} />}
      <Members team={data} onAsk={setAsked} />
      <SecondFactorPanel team={data} />
      {data.invitations.length > 0 && <TeamInvitations team={data} />}
      <RolesPanel />
      {asked && (
        <RoleDialog
          key={asked.email}
          email={asked.email}
          current={asked.current}
          first={asked.to}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

const Given = NewTeamInvitation.omit({ reason: true });

function GiveForm({ onAsk }: { onAsk: (asked: Asked) => void }) {
  // Stays in the form: the address may be mistyped.
  const [given, setGiven] = useResumable<z.infer<typeof Given>>("given role", { email: "", role: "support" });
  const form = useFormOf(Given, {
    about: "given role",
    saved: given,
    async send({ email, role }) {
      setGiven({ email, role });
      onAsk({ email: email.trim(), current: null, to: role });
    },
  });
  return (
    <Panel title="Give a role">
      <form {...form.frame} className="grid items-start gap-5 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]">
        <FormField form={form} name="email" label="Email" autoComplete="off" />
        <FormField
          form={form}
          name="role"
          label="Role"
          options={staffRoles.toReversed().map((role) => [role, roleLabels[role]])}
        />
        <Button type="submit" variant="outline" className="md:mt-6.5" pending={form.isSending}>
          Preview
        </Button>
      </form>
      <p className="mt-4 max-w-[75ch] text-ink-soft text-sm">
        People without an account get an invitation by email. Coaches are chosen under{" "}
        <Link to="/admin/coaching" className="underline underline-offset-4">
          Coaching
        </Link>
        , with their hours.
      </p>
    </Panel>
  );
}

function Members({ team, onAsk }: { team: Team; onAsk: (asked: Asked) => void }) {
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
          The server's ADMIN_EMAILS names {team.unclaimed.join(", ")} as well: an owner once an account has confirmed
          it.
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
    isRoot && "Set by ADMIN_EMAILS",
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
