import { useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getRenewals, resumeRenewals } from "#contract/admin/renewals.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "../act.ts";

/** Why renewals have stopped, above the discrepancies. Renders nothing while they run. */
export function RenewalsStopped() {
  const { data } = useQuery(queryOf(getRenewals));
  const resume = useAct(() => api(resumeRenewals, { body: {} }), {
    done: "We’ll try one renewal within a minute. If it goes through, the others follow.",
    failed: "Failed to try a renewal",
  });
  if (!data || data.obstacles.length === 0) return null;
  return (
    <section aria-labelledby="renewals-stopped" className="grid gap-4">
      <h2 id="renewals-stopped" className="wide text-heading">
        Renewals are paused
      </h2>
      {data.obstacles.map(({ reason, sentence }) => (
        <Card key={reason} tone="kraft">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p>{sentence}</p>
            {reason === "credentials" && (
              <Button variant="outline" pending={resume.isPending} onClick={() => resume.mutate()}>
                Try one renewal
              </Button>
            )}
          </div>
        </Card>
      ))}
    </section>
  );
}
