import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { getTeam, requireSecondFactor, type Team } from "#contract/admin/team.ts";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "../act.ts";
import { Panel } from "../panel.tsx";

/** Whether the team must sign in with a second factor. Owners change it. */
export function SecondFactorPanel({ team }: { team: Team }) {
  const { mayGive, needsSecondFactor, mayRequireSecondFactor: may } = team;
  const isDecided = may === "provider-decides" && !needsSecondFactor;
  return (
    <Panel title="Second factor">
      <div className="grid justify-items-start gap-4">
        <p className="max-w-[75ch]">
          {isDecided
            ? "Decided by your provider. Your sign-in provider doesn't tell us who has a second factor, so require one there."
            : needsSecondFactor
              ? "Required. Team members who signed in without a second factor only see how to turn it on."
              : "Optional. If you require it, team members who signed in without it only see how to turn it on."}
        </p>
        {mayGive && !isDecided && <Change team={team} />}
      </div>
    </Panel>
  );
}

function Change({ team: { needsSecondFactor, mayRequireSecondFactor, members } }: { team: Team }) {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const change = useAct(
    (isRequired: boolean) => api(requireSecondFactor, { body: { isRequired } }),
    {
      done: ({ needsSecondFactor }) => (needsSecondFactor ? "Second factor required" : "Second factor optional"),
      failed: "Failed to change the second factor",
    },
    (team) => queryClient.setQueryData(queryOf(getTeam).queryKey, team),
  );
  if (needsSecondFactor) {
    return (
      <Button variant="outline" pending={change.isPending} onClick={() => change.mutate(false)}>
        Make it optional
      </Button>
    );
  }
  if (mayRequireSecondFactor !== "yes") {
    return (
      <p className="max-w-[75ch] text-ink-soft text-sm">
        Before you can require it, {user?.accountUrl ? <TurnOn accountUrl={user.accountUrl} /> : "turn on your own"} and
        sign in with it.
      </p>
    );
  }
  const without = members.filter(({ secondFactor }) => secondFactor !== "on").map(({ name }) => name);
  return (
    <>
      {without.length > 0 && (
        <p className="max-w-[75ch] text-ink-soft text-sm wrap-anywhere">
          Not on yet for {new Intl.ListFormat("en-US").format(without)}.
        </p>
      )}
      <Button variant="outline" pending={change.isPending} onClick={() => change.mutate(true)}>
        Require a second factor
      </Button>
    </>
  );
}

function TurnOn({ accountUrl }: { accountUrl: string }) {
  return (
    <a href={`${accountUrl}/second-factor`} className="underline underline-offset-4">
      turn on your own
    </a>
  );
}
