import type { ChangeEvent, ReactNode } from "react";
import type { Faults } from "#app/api/use-form.ts";
import type { Period } from "#contract/admin/statistics.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { useAddress } from "./address.ts";
import { Filter } from "./filters.tsx";
import { academyDay, presetsOn } from "./periods.ts";

const periods = ["day", "week", "month"] as const satisfies readonly Period[];
/** What the server shows without dates. */
const latest: Readonly<Record<Period, string>> = {
  day: "Last 30 days",
  week: "Last 12 weeks",
  month: "Last 12 months",
};
const custom = "Custom dates";
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

export type PeriodQuery = { by: Period } & Record<"from" | "to", string | undefined>;

/** The period in the URL. By default the last 30 days. */
export function usePeriod(): PeriodQuery {
  const { read } = useAddress();
  const day = (name: string) => (isoDay.test(read(name)) ? read(name) : undefined);
  return { by: periods.find((one) => one === read("by")) ?? "day", from: day("from"), to: day("to") };
}

interface PeriodFilterProps {
  query: PeriodQuery;
  /** The dates in the server's reply. */
  shown: { readonly from: string; readonly to: string } | undefined;
  /** Errors in dates that the server refused. */
  faults: Faults;
  children?: ReactNode;
}

export function PeriodFilter({ query, shown, faults, children }: PeriodFilterProps) {
  const { write } = useAddress();
  // Typing a year passes through other days, which are not worth history entries.
  const typed =
    (name: "from" | "to") =>
    ({ target }: ChangeEvent<HTMLInputElement>) =>
      write({ [name]: target.value }, { replace: true });
  const presets = presetsOn(academyDay());
  const chosen = presets.find(({ by, from, to }) => by === query.by && from === query.from && to === query.to);
  const isCustom = query.from !== undefined || query.to !== undefined;
  return (
    <search
      aria-label="Period"
      className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] items-end gap-3 sm:flex sm:flex-wrap"
    >
      <div className="col-span-full sm:w-44">
        <Filter
          label="Range"
          value={chosen?.label ?? (isCustom ? custom : latest[query.by])}
          options={[
            ...(isCustom && !chosen ? [custom] : []),
            latest[query.by],
            ...presets.map(({ label }) => label),
          ].map((label) => [label, label] as const)}
          onChange={(label) => {
            const { by = query.by, from = null, to = null } = presets.find((preset) => preset.label === label) ?? {};
            if (label !== custom) write({ by, from, to });
          }}
        />
      </div>
      <div className="col-span-full sm:w-40">
        <Filter
          label="By"
          value={query.by}
          options={[
            ["day", "By day"],
            ["week", "By week"],
            ["month", "By month"],
          ]}
          onChange={(by) => write({ by, from: null, to: null })}
        />
      </div>
      <Field label="From" className="self-start" error={faults.from}>
        <Input type="date" value={query.from ?? shown?.from ?? ""} onChange={typed("from")} />
      </Field>
      <Field label="To" className="self-start" error={faults.to}>
        <Input type="date" value={query.to ?? shown?.to ?? ""} onChange={typed("to")} />
      </Field>
      {children}
    </search>
  );
}
