import { Link } from "react-router";
import type { Check } from "#contract/admin/checklist.ts";
import { Badge } from "#ui/badge.tsx";
import { formatCount } from "#ui/format/numbers.ts";

const states = {
  problem: { tone: "danger", word: "Problem" },
  todo: { tone: "kraft", word: "To do" },
  done: { tone: "success", word: "Done" },
  "nothing-yet": { tone: "plain", word: "Not in use yet" },
} as const satisfies Record<Check["state"], object>;

/** What is done is folded. */
export function Lines({ checks }: { checks: readonly Check[] }) {
  const done = checks.filter(({ state }) => state === "done");
  return (
    <div className="mt-2 border-ink border-t-2">
      <ul>
        {checks
          .filter((check) => !done.includes(check))
          .map((check) => (
            <Line key={check.id} check={check} />
          ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary className="flex min-h-11 w-fit items-center gap-2 text-ink-soft text-sm underline underline-offset-4 hover:text-ink">
            {formatCount(done.length)} done
          </summary>
          <ul className="border-line border-t">
            {done.map((check) => (
              <Line key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Line({ check: { title, state, detail, links } }: { check: Check }) {
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-b py-4 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto] sm:items-start">
      <Badge tone={states[state].tone} className="justify-self-start">
        {states[state].word}
      </Badge>
      <div className="min-w-0">
        <h3 className="font-bold">{title}</h3>
        <p className="mt-1 max-w-[72ch] text-ink-soft wrap-anywhere">{detail}</p>
      </div>
      <div className="grid justify-items-start gap-1 text-sm">
        {links.map(({ label, to }) => (
          <Link key={to} to={to} className="underline underline-offset-4">
            {label}
          </Link>
        ))}
      </div>
    </li>
  );
}
