import { useState } from "react";
import { queryOf } from "#app/api/query.ts";
import { May } from "#app/identity/may.tsx";
import { type CoachingAdministration, getCoachingAdministration, type MeterMonth } from "#contract/admin/coaching.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { AdminPage } from "../admin-page.tsx";
import { ExportButton } from "../export-button.tsx";
import { FigureTable } from "../figure-table.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { AheadSentence } from "./ahead.tsx";
import { Bookings } from "./bookings.tsx";
import { AddCoachDialog, ChangeCoachDialog } from "./coach-dialogs.tsx";
import { LivePanel } from "./live-panel.tsx";

export default function CoachingAdministrationPage() {
  return (
    <AdminPage
      title="Coaching"
      description="Coaches, group sessions and bookings, for administrators."
      lead="Sessions sold, held, and still owed."
      actions={<ExportButton list="coaching" />}
    >
      <Everything />
    </AdminPage>
  );
}

CoachingAdministrationPage.queries = () => [queryOf(getCoachingAdministration)];

function Everything() {
  const { data, instead } = useLoaded(queryOf(getCoachingAdministration), "coaching");
  if (!data) return instead;
  return (
    <div className="grid gap-8">
      <Meter data={data} />
      <LivePanel live={data.live} coaches={data.coaches} />
      <Bookings
        title="1-on-1 sessions"
        coaches={data.coaches
          .filter(({ isActive }) => isActive)
          .map(({ id, settings }) => ({ id, name: settings.displayName }))}
      />
      <Coaches coaches={data.coaches} />
    </div>
  );
}

const meterColumns: Column<MeterMonth>[] = [
  { key: "month", label: "Month", wide: true, cell: ({ month }) => formatPeriod(`${month}-01`, "month") },
  ...(
    [
      ["owed", "Owed"],
      ["offered", "Offered"],
      ["booked", "Booked"],
      ["held", "Held"],
      ["missedByUs", "Missed by us"],
      ["returned", "Returned"],
      ["expired", "Expired unused"],
    ] as const
  ).map(([key, label]) => ({ key, label, end: true, cell: (month: MeterMonth) => formatCount(month[key]) })),
];

function Meter({ data: { ahead, months, coaches } }: { data: CoachingAdministration }) {
  return (
    <Panel title="Sessions by month">
      <div className="grid gap-5">
        <div className="grid gap-2">
          <AheadSentence ahead={ahead} />
          <NoTimes coaches={coaches} />
        </div>
        <FigureTable
          caption="Sessions owed, offered and held, by month"
          columns={meterColumns}
          rows={months}
          rowKey={({ month }) => month}
        />
        <p className="text-fine text-ink-soft">
          Owed: sessions that students could book in periods that began this month. Offered: sessions that fit into the
          coaches’ current hours. Expired: sessions not used in periods that ended this month. Months follow the
          academy’s time zone.
        </p>
      </div>
    </Panel>
  );
}

/** What an administrator must do while nobody can book, such as after the update that introduced coaching. */
function NoTimes({ coaches }: { coaches: readonly Coach[] }) {
  const active = coaches.filter(({ isActive }) => isActive);
  if (active.some(({ settings }) => settings.hours.length > 0)) return null;
  return (
    <p>
      {active.length === 0
        ? "There are no coaches yet, so students can’t book. Add a coach below. Coaches need an account, and set their hours on their own page."
        : `${active.map(({ settings }) => settings.displayName).join(" and ")} ${active.length === 1 ? "has" : "have"} no hours yet, so students can’t book. Set the hours below, or ask the coach to set them.`}
    </p>
  );
}

type Coach = CoachingAdministration["coaches"][number];

function Coaches({ coaches }: { coaches: readonly Coach[] }) {
  const [isAdding, setIsAdding] = useState(false);
  const [changedId, setChangedId] = useState<string | null>(null);
  const changed = coaches.find(({ id }) => id === changedId);
  return (
    <Panel
      title="Coaches"
      aside={
        <May permission="coaching:manage">
          <Button variant="outline" size="small" onClick={() => setIsAdding(true)}>
            Add a coach
          </Button>
        </May>
      }
    >
      {coaches.length === 0 ? (
        <Nothing>No coaches yet. Add someone who has an account.</Nothing>
      ) : (
        <ul>
          {coaches.map((coach) => (
            <li
              key={coach.id}
              className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-3 last:border-b-0"
            >
              <p className="min-w-0 text-sm wrap-anywhere">
                <strong>{coach.settings.displayName}</strong>{" "}
                <span className="text-ink-soft">
                  {coach.email}, {coach.settings.timeZone.replaceAll("_", " ")}, {hoursWords(coach)}
                </span>
              </p>
              <span className="flex items-center gap-2">
                {!coach.isActive && <Badge>Not active</Badge>}
                <May permission="coaching:manage">
                  <Button
                    variant="outline"
                    size="small"
                    aria-label={`Change ${coach.settings.displayName}`}
                    onClick={() => setChangedId(coach.id)}
                  >
                    Change
                  </Button>
                </May>
              </span>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddCoachDialog onClose={() => setIsAdding(false)} />}
      {changed && <ChangeCoachDialog coach={changed} onClose={() => setChangedId(null)} />}
    </Panel>
  );
}

function hoursWords({ settings: { hours } }: Coach): string {
  const minutes = hours.reduce((sum, { fromTime, toTime }) => sum + minutesOf(toTime) - minutesOf(fromTime), 0);
  return minutes === 0 ? "no hours" : `${Math.round(minutes / 6) / 10} hours a week`;
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
