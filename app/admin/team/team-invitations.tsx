import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getTeam, revokeTeamInvitation, type Team, type TeamInvitation } from "#contract/admin/team.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { RoleBadge } from "./role-badge.tsx";

/** Invitations to a role that have not been accepted yet. */
export function TeamInvitations({ team: { invitations, mayGive } }: { team: Team }) {
  const columns: readonly Column<TeamInvitation>[] = [
    {
      key: "email",
      label: "Address",
      wide: true,
      cell: ({ email, author, isVoid }) => (
        <div className="min-w-0">
          <p className="font-bold wrap-anywhere">{email}</p>
          <p className="text-fine text-ink-soft wrap-anywhere">
            by {author}
            {isVoid && ", who may give no roles any more: it cannot be accepted"}
          </p>
        </div>
      ),
    },
    { key: "role", label: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
    { key: "state", label: "State", cell: ({ isVoid, sentAt }) => <InvitationState isVoid={isVoid} sentAt={sentAt} /> },
    { key: "expires", label: "Expires", cell: ({ expiresAt }) => formatShortDay(expiresAt) },
    { key: "actions", label: "", cell: (invitation) => (mayGive ? <TakeBack invitation={invitation} /> : null) },
  ];
  return (
    <section aria-labelledby="team-invitations">
      <h2 id="team-invitations" className="mb-2 font-bold text-lg">
        Invited
      </h2>
      <Table caption="Invitations to the team" columns={columns} rows={invitations} rowKey={({ id }) => id} />
    </section>
  );
}

function InvitationState({ isVoid, sentAt }: Pick<TeamInvitation, "isVoid" | "sentAt">) {
  if (isVoid) return <Badge tone="danger">Void</Badge>;
  return <Badge tone="plain">{sentAt ? "Invited" : "On its way"}</Badge>;
}

function TakeBack({ invitation: { id, email } }: { invitation: TeamInvitation }) {
  const queryClient = useQueryClient();
  const revoke = useAct(
    () => api(revokeTeamInvitation, { params: { id }, body: {} }),
    { done: "Invitation taken back", failed: "Failed to take it back" },
    (team) => queryClient.setQueryData(queryOf(getTeam).queryKey, team),
  );
  return (
    <Button variant="quiet" size="small" pending={revoke.isPending} onClick={() => revoke.mutate()}>
      Take back<span className="sr-only"> the invitation of {email}</span>
    </Button>
  );
}
