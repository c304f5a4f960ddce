import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRenewals, resumeRenewals } from "#contract/admin/renewals.ts";
import { api } from "../../api.ts";
import { toastFailure } from "../../identity/failure-toast.ts";
import { Card } from "../../ui/card.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { toast } from "../../ui/feedback/toast.tsx";

const renewalsQuery = queryOptions({
  queryKey: ["admin", "renewals"],
  queryFn: ({ signal }) => api(getRenewals, { signal }),
});

/** Why renewals wait, above the books; nothing while they do not. */
export function RenewalsStopped() {
  const queryClient = useQueryClient();
  const { data } = useQuery(renewalsQuery);
  const resume = useMutation({
    mutationFn: () => api(resumeRenewals, { body: {} }),
    onSuccess: (status) => {
      queryClient.setQueryData(renewalsQuery.queryKey, status);
      toast({
        title: "One renewal is tried within a minute",
        description: "When the gateway takes it, the others follow.",
      });
    },
    onError: (error) => toastFailure("Not tried", error, "The academy did not answer."),
  });
  if (!data || data.obstacles.length === 0) return null;
  return (
    <section aria-labelledby="renewals-stopped" className="grid gap-4">
      <h2 id="renewals-stopped" className="wide text-heading">
        Renewals wait
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
