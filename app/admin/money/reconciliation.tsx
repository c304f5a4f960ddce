import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  breakWords,
  getReconciliation,
  mendBreak,
  type Reconciliation,
  type ReconciliationBreak,
  runReconciliation,
} from "#contract/admin/reconciliation.ts";
import { api } from "../../api.ts";
import { toastFailure } from "../../identity/failure-toast.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { LoadFailed } from "../../ui/feedback/load-failed.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { AdminPage } from "../admin-page.tsx";
import { statsQuery } from "../admin-queries.ts";
import { formatMoment } from "../format.ts";
import { ListLoading } from "../lists/paging.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

const reconciliationQuery = queryOptions({
  queryKey: ["admin", "reconciliation"],
  queryFn: ({ signal }) => api(getReconciliation, { signal }),
});

/** Where the gateway's books and ours differ, each difference with the one action that mends it. */
export default function ReconciliationPage() {
  return (
    <AdminPage
      title="Reconciliation"
      description="The card gateway's books beside the academy's, for administrators."
      lead="Every night the gateway's transactions are held against our purchases. What differs is listed here until it is mended."
    >
      <Books />
    </AdminPage>
  );
}

function Books() {
  const { data, isPending } = useQuery(reconciliationQuery);
  const run = useRun();
  if (isPending) return <ListLoading what="books" />;
  if (!data) {
    return (
      <LoadFailed level={2} title="The books did not load">
        The academy did not answer. Nothing was changed.
      </LoadFailed>
    );
  }
  const open = data.breaks.filter(({ resolvedAt }) => resolvedAt === null);
  const mended = data.breaks.filter(({ resolvedAt }) => resolvedAt !== null);
  return (
    <div className="grid max-w-4xl gap-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="printed">{lastRunWords(data)}</p>
        <Button variant="tag" pending={run.isPending} onClick={() => run.mutate()}>
          Compare now
        </Button>
      </div>
      <section aria-labelledby="open-breaks" className="grid gap-4">
        <h2 id="open-breaks" className="wide text-heading">
          Open breaks
        </h2>
        {open.length === 0 ? (
          <Card tone="kraft">{agreement(data)}</Card>
        ) : (
          <ul className="grid gap-4">
            {open.map((one) => (
              <li key={one.id}>
                <OpenBreak found={one} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {mended.length > 0 && <MendedBreaks mended={mended} />}
    </div>
  );
}

function OpenBreak({ found }: { found: ReconciliationBreak }) {
  const [isAsking, setIsAsking] = useState(false);
  const { title, action } = breakWords[found.kind];
  return (
    <Card className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end">
      <div>
        <Badge tone="danger">{formatMoment(found.foundAt)}</Badge>
        <h3 className="mt-3 font-semibold text-lead">{title}</h3>
        <Figures found={found} />
      </div>
      <Button variant="outline" onClick={() => setIsAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ReasonDialog
          title={`${action}?`}
          description={`${title}. A student whose access changes by it is told by mail.`}
          confirm={action}
          act={(reason) => api(mendBreak, { body: { breakId: found.id, reason } })}
          words={{ done: "Mended", failed: "Failed to mend the difference" }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}

function Figures({ found }: { found: ReconciliationBreak }) {
  const figures = [
    ["Transaction", found.transactionId],
    ["Purchase", found.purchaseId],
    ["By our books", found.expected && `$${found.expected}`],
    ["By the gateway's", found.found && `$${found.found}`],
  ].filter((figure): figure is [string, string] => Boolean(figure[1]));
  return (
    <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt className="text-fine text-ink-soft">{label}</dt>
          <dd className="printed break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function MendedBreaks({ mended }: { mended: readonly ReconciliationBreak[] }) {
  return (
    <section aria-labelledby="mended-breaks" className="grid gap-4">
      <h2 id="mended-breaks" className="wide text-heading">
        Mended
      </h2>
      <ul className="grid gap-px overflow-hidden rounded-md border border-line bg-line">
        {mended.map((one) => (
          <li key={one.id} className="grid gap-1 bg-surface p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-6">
            <p>
              {breakWords[one.kind].title} <span className="printed text-ink-soft">{one.transactionId}</span>
            </p>
            <p className="text-ink-soft">
              {one.resolution}, {one.resolvedAt && formatMoment(one.resolvedAt)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function agreement({ lastRunAt, lastError }: Reconciliation): string {
  if (lastRunAt === null) return "The books were not compared yet.";
  return lastError ? "Nothing is known to differ. The last comparison did not get through." : "The books agree.";
}

function lastRunWords({ lastRunAt, lastError, checked }: Reconciliation): string {
  if (lastRunAt === null) return "Not compared yet";
  const when = formatMoment(lastRunAt);
  return lastError ? `${when}: the gateway could not be asked` : `${when}: ${checked} transactions compared`;
}

function useRun() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(runReconciliation, { body: {} }),
    onSuccess: (books) => {
      queryClient.setQueryData(reconciliationQuery.queryKey, books);
      queryClient.invalidateQueries({ queryKey: statsQuery.queryKey });
      if (books.lastError)
        toast({ title: "Not compared", description: "The gateway does not answer.", destructive: true });
      else toast({ title: "Books compared", description: `${books.checked} transactions compared.` });
    },
    onError: (error) => toastFailure("Error", error, "Failed to reach the academy."),
  });
}
