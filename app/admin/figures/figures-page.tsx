import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { faultsIn } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getSignUps } from "#contract/admin/figures.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AdminPage } from "../admin-page.tsx";
import { PeriodFilter, usePeriod } from "../period-filter.tsx";
import { queryBefore } from "../periods.ts";
import { FunnelPanel } from "./funnel.tsx";
import { RetentionPanel } from "./retention.tsx";
import { SignUpCharts } from "./sign-up-charts.tsx";
import { ValuePanel } from "./value.tsx";

export default function FiguresPage() {
  return (
    <AdminPage
      title="Figures"
      description="Sign-ups, conversion, retention and lifetime value, for administrators."
      lead="Sign-ups, purchases, retention and revenue per student. Days and months follow the academy’s time zone."
    >
      <div className="grid gap-5">
        <ByPeriod />
        <RetentionPanel />
        <ValuePanel />
      </div>
    </AdminPage>
  );
}

function ByPeriod() {
  const query = usePeriod();
  const { data, isPending, error, refetch } = useQuery({
    ...queryOf(getSignUps, { query }),
    placeholderData: keepPreviousData,
  });
  const before = useQuery({
    ...queryOf(getSignUps, data ? queryBefore(data) : { query }),
    enabled: data !== undefined,
  });
  const faults = faultsIn(error);
  const isRefused = Object.keys(faults).length > 0;
  return (
    <>
      <PeriodFilter query={query} shown={data} faults={faults} />
      {data ? (
        <SignUpCharts signUps={data} before={before} query={query} />
      ) : isPending ? (
        <PartLoading what="sign-ups" />
      ) : (
        !isRefused && <PartFailed what="the sign-ups" retry={refetch} />
      )}
      {!isRefused && <FunnelPanel query={query} />}
    </>
  );
}
