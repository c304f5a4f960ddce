import { Link } from "react-router";
import type { z } from "zod";
import { queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useResumable } from "#app/editing/resumable.ts";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { getTeam, NewTeamInvitation } from "#contract/admin/team.ts";
import { roleLabels, staffRoles } from "#contract/roles.ts";
import { Button } from "#ui/controls/button.tsx";
import { AdminPage } from "../admin-page.tsx";
import { useLoaded } from "../loaded.tsx";
import { Panel } from "../panel.tsx";
import { type Asked, Members } from "./members.tsx";
import { Restored } from "./restored.tsx";
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
