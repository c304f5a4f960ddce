import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { confirmTeam, getTeam } from "#contract/admin/team.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";

/** Shown after a restore, until an owner listed in ADMIN_EMAILS has reviewed the roles that the backup brought back. */
export function Restored({ restoredAt, mayConfirm }: { restoredAt: string; mayConfirm: boolean }) {
  const queryClient = useQueryClient();
  const confirm = useAct(
    () => api(confirmTeam, { body: { restoredAt } }),
    { done: "Team confirmed", failed: "Failed to confirm the team" },
    (team) => queryClient.setQueryData(queryOf(getTeam).queryKey, team),
  );
  return (
    <section aria-labelledby="restored-team">
      <Card tone="kraft">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="grow basis-96">
            <h2 id="restored-team" className="font-bold text-lg">
              These roles come from a backup
            </h2>
            <p className="mt-1 max-w-[75ch]">
              It was restored {formatTimestamp(restoredAt)}. People who left the team after the backup have their roles
              back, and revoked invitations are open again. Remove what shouldn’t be here
              {mayConfirm
                ? ", then confirm the team."
                : ". Then an owner set in the server’s configuration confirms the team."}{" "}
              Until then, nobody can accept an invitation to a role.
            </p>
          </div>
          {mayConfirm && (
            <Button variant="outline" pending={confirm.isPending} onClick={() => confirm.mutate()}>
              Confirm the team
            </Button>
          )}
        </div>
      </Card>
    </section>
  );
}
