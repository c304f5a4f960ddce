import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getTeam, revokeTeamInvitation, type Team, type TeamInvitation } from "#contract/admin/team.ts";
import { Badge } from "#ui/badge.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { InvitationState, Invited, TakeBack } from "../invitation-cells.tsx";
import { RoleBadge } from "./role-badge.tsx";

/** Invitations to a role that have not been accepted yet. */
export function TeamInvitations({ team: { invitations, mayGive } }: { team: Team }) {
  const queryClient = useQueryClient();
  const columns: readonly Column<TeamInvitation>[] = [
    {
      key: "email",
      label: "Address",
      wide: true,
      cell: ({ email, author, isVoid }) => (
        <Invited email={email}>
          {author}
          {isVoid && ", who can’t give roles anymore, so it can’t be accepted"}
        </Invited>
      ),
    },
    { key: "role", label: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
    {
      key: "state",
      label: "State",
      cell: ({ isVoid, sentAt }) => (isVoid ? <Badge tone="danger">Void</Badge> : <InvitationState sentAt={sentAt} />),
    },
    { key: "expires", label: "Expires", cell: ({ expiresAt }) => formatShortDay(expiresAt) },
    {
      key: "actions",
      label: "",
      cell: ({ id, email }) =>
        mayGive ? (
          <TakeBack
            email={email}
            revoke={() => api(revokeTeamInvitation, { params: { id }, body: {} })}
            onDone={(team) => queryClient.setQueryData(queryOf(getTeam).queryKey, team)}
          />
        ) : null,
    },
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
