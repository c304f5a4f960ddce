import { queryOf } from "#app/api/query.ts";
import { getCheckFigures, getLearning, type Learning } from "#contract/admin/statistics.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatWatchTime } from "#ui/format/durations.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { AdminPage } from "../admin-page.tsx";
import { ExportButton } from "../export-button.tsx";
import { Figures } from "../figures.tsx";
import { useLoaded } from "../loaded.tsx";
import { Checks } from "./checks.tsx";
import { ModuleFigures } from "./module-figures.tsx";

type Lesson = Learning["modules"][number]["lessons"][number];

export default function LearningPage() {
  return (
    <AdminPage
      title="Learning"
      description="Where students are in the course and where they stop, for administrators."
      lead="How far students get, lesson by lesson, and where they stop."
      actions={<ExportButton list="learning" />}
    >
      <Course />
      <Checks />
    </AdminPage>
  );
}

LearningPage.queries = () => [queryOf(getLearning), queryOf(getCheckFigures)];

function Course() {
  const { data, instead } = useLoaded(queryOf(getLearning), "figures");
  if (!data) return instead;
  const sum = (name: "watchSeconds" | "downloads") => data.modules.reduce((total, module) => total + module[name], 0);
  const hardest = hardestOf(data);
  return (
    <div className="grid gap-8">
      <Figures
        label="The course in numbers"
        figures={[
          { label: "Students", value: formatCount(data.students), note: "started a lesson" },
          { label: "Watch time", value: formatWatchTime(sum("watchSeconds")), note: "repeats not counted" },
          { label: "Downloads", value: formatCount(sum("downloads")), note: "of all resources" },
          {
            label: "Most stop at",
            value: hardest ? <span className="block text-heading">{hardest.title}</span> : "–",
            note: hardest && formatCountOf(hardest.stoppedHere, "student"),
          },
        ]}
      />
      {data.modules.map((module) => (
        <ModuleFigures key={module.moduleId} module={module} students={data.students} />
      ))}
      <p className="text-fine text-ink-soft">
        Counted {formatTimestamp(data.asOf)}. “Stopped” counts students who started this lesson last and who have not
        completed it.
      </p>
    </div>
  );
}

function hardestOf({ modules }: Learning): Lesson | null {
  const lessons = modules.flatMap((module) => module.lessons).sort((one, other) => other.stoppedHere - one.stoppedHere);
  return lessons[0] && lessons[0].stoppedHere > 0 ? lessons[0] : null;
}
