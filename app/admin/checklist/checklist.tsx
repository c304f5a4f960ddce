import { queryOf } from "#app/api/query.ts";
import { type Check, getChecklist } from "#contract/admin/checklist.ts";
import { AdminPage } from "../admin-page.tsx";
import { useLoaded } from "../loaded.tsx";
import { Lines } from "./lines.tsx";

export default function ChecklistPage() {
  return (
    <AdminPage
      title="Checklist"
      description="What to set up before you sell, and what needs attention now, for administrators."
      lead="Checked each time you open this page. “To do” can wait; a “Problem” affects students now."
    >
      <Checklist />
    </AdminPage>
  );
}

ChecklistPage.queries = () => [queryOf(getChecklist)];

const groups = {
  "first-steps": "First steps",
  owner: "For owners",
  operator: "For your server administrator",
} as const satisfies Record<Check["group"], string>;

function Checklist() {
  const { data, instead } = useLoaded(queryOf(getChecklist), "checklist");
  if (!data) return instead;
  const doneCount = data.checks.filter(({ state }) => state === "done").length;
  return (
    <>
      <p role="status" className="font-bold">
        {doneCount} of {data.checks.length} done
      </p>
      {Object.entries(groups).map(([group, title]) => (
        <section key={group} aria-labelledby={group} className="mt-8">
          <h2 id={group} className="font-bold text-lg">
            {title}
          </h2>
          <Lines checks={data.checks.filter((check) => check.group === group)} />
        </section>
      ))}
    </>
  );
}
