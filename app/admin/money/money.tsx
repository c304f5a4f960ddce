import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { faultsIn } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getMoney } from "#contract/admin/statistics.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AdminPage } from "../admin-page.tsx";
import { ExportButton } from "../export-button.tsx";
import { PeriodFilter, usePeriod } from "../period-filter.tsx";
import { queryBefore } from "../periods.ts";
import { Charts } from "./money-charts.tsx";

export default function MoneyPage() {
  return (
    <AdminPage
      title="Money"
      description="Revenue, refunds and subscriptions over time, for administrators."
      lead="Approved charges minus refunds and disputes. Days follow the academy’s time zone."
    >
      <MoneyFigures />
      <Link
        to="/admin/reconciliation"
        className="mt-4 inline-flex min-h-9 items-center text-sm underline underline-offset-4"
      >
        Compare records with the gateway
      </Link>
    </AdminPage>
  );
}

function MoneyFigures() {
  const query = usePeriod();
  const { data, isPending, error, refetch } = useQuery({
    ...queryOf(getMoney, { query }),
    placeholderData: keepPreviousData,
  });
  const before = useQuery({
    ...queryOf(getMoney, data ? queryBefore(data) : { query }),
    enabled: data !== undefined,
  });
  const faults = faultsIn(error);
  return (
    <div className="grid gap-5">
      <PeriodFilter query={query} shown={data} faults={faults}>
        <ExportButton list="money" body={query} />
      </PeriodFilter>
      {data ? (
        <Charts money={data} before={before} />
      ) : isPending ? (
        <PartLoading what="figures" />
      ) : (
        Object.keys(faults).length === 0 && <PartFailed what="the figures" retry={refetch} />
      )}
    </div>
  );
}
