import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import {
  type Discrepancy,
  getReconciliation,
  type Reconciliation,
  runReconciliation,
} from "#contract/admin/reconciliation.ts";
import { Fold } from "#ui/controls/accordion.tsx";
import { Button } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { toast } from "#ui/toast/toast.ts";
import { AdminPage } from "../admin-page.tsx";
import { firstPageOf, ListRows, useAdminList } from "../list.tsx";
import { OpenDiscrepancy } from "./open-discrepancy.tsx";
import { RenewalsStopped } from "./renewals-stopped.tsx";

/** The differences between the gateway's books and ours, and the actions that repair each discrepancy. */
export default function ReconciliationPage() {
  return (
    <AdminPage
      title="Reconciliation"
      description="The card gateway's records beside the academy's, for administrators."
      lead="Every night we compare the gateway’s transactions with your purchases. Differences stay here until you repair them."
    >
      <Books />
    </AdminPage>
  );
}

ReconciliationPage.queries = () => [firstPageOf(getReconciliation, { state: "open" })];

type Comparison = Omit<Reconciliation, "rows" | "total">;

const useDiscrepancies = (state: "open" | "repaired") =>
  useAdminList<Discrepancy, object, Comparison>({
    endpoint: getReconciliation,
    query: { state },
    label: `${state} discrepancies`,
    what: `${state} discrepancies`,
  });

function Books() {
  const open = useDiscrepancies("open");
  const run = useRun();
  const last = open.first;
  if (!last) {
    if (open.isFirstPending) return <PartLoading what="books" />;
    return (
      <LoadFailed level={2} title="The reconciliation didn’t load">
        The academy didn’t answer. Nothing has changed.
      </LoadFailed>
    );
  }
  return (
    <div className="grid max-w-4xl gap-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="printed">{lastRunWords(last)}</p>
        <Button variant="tag" pending={run.isPending} onClick={() => run.mutate()}>
          Compare now
        </Button>
      </div>
      <RenewalsStopped />
      <section aria-labelledby="open-discrepancies" className="grid gap-4">
        <h2 id="open-discrepancies" className="wide text-heading">
          Open discrepancies
        </h2>
        <ListRows list={open} empty={agreement(last)}>
          {(rows) => (
            <ul className="grid gap-4">
              {rows.map((one) => (
                <li key={one.id}>
                  <OpenDiscrepancy found={one} />
                </li>
              ))}
            </ul>
          )}
        </ListRows>
      </section>
      <Repaired />
    </div>
  );
}

function Repaired() {
  const list = useDiscrepancies("repaired");
  if (!list.total) return null;
  return (
    <Fold title="Repaired" aside={formatCount(list.total)}>
      <ListRows list={list}>
        {(rows) => (
          <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
            {rows.map((one) => (
              <li key={one.id} className="grid gap-1 bg-surface p-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:gap-6">
                <p className="wrap-anywhere">{one.sentence}</p>
                <p className="text-ink-soft">
                  {one.resolution}, {one.resolvedAt && formatTimestamp(one.resolvedAt)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </ListRows>
    </Fold>
  );
}

function agreement({ lastRunAt, lastError }: Comparison): string {
  if (lastRunAt === null) return "Not compared yet.";
  return lastError ? "No known differences. The last comparison failed." : "Your records agree with the gateway’s.";
}

function lastRunWords({ lastRunAt, lastError, checked }: Comparison): string {
  if (lastRunAt === null) return "Not compared yet";
  const when = formatTimestamp(lastRunAt);
  return lastError ? `${when}: we couldn't reach the gateway` : `${when}: ${checked} transactions compared`;
}

function useRun() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(runReconciliation, { body: {} }),
    onSuccess: (books) => {
      queryClient.invalidateQueries({ queryKey: ["admin"] });
      if (books.lastError)
        toast({
          title: "Comparison failed",
          description: "The gateway isn’t answering. Try again in a few minutes.",
          destructive: true,
        });
      else toast({ title: "Comparison finished", description: `${books.checked} transactions compared.` });
    },
    onError: (error) => toastFailure("Error", error, "Failed to reach the academy."),
  });
}
