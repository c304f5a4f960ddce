import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useMay } from "#app/identity/may.tsx";
import { Badge } from "#ui/badge.tsx";
import { Panel } from "../panel.tsx";
import { checklistQuery } from "./checklist-query.ts";

/** What a new owner does first, until all of it is done. */
export function FirstSteps() {
  const isOwner = useMay("settings:write");
  const { data } = useQuery({ ...checklistQuery, enabled: isOwner });
  const steps = data?.checks.filter(({ group }) => group === "first-steps") ?? [];
  const left = steps.filter(({ state }) => state !== "done");
  if (!isOwner || left.length === 0) return null;
  return (
    <Panel title="First steps" aside={<span>{`${steps.length - left.length} of ${steps.length} done`}</span>}>
      <ol className="grid gap-x-8 sm:grid-cols-2">
        {steps.map(({ id, title, state, links: [link] }) => (
          <li
            key={id}
            className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-line border-b py-1.5"
          >
            {state === "done" || !link ? (
              <span className="text-ink-soft">{title}</span>
            ) : (
              <Link to={link.to} className="font-bold underline underline-offset-4">
                {title}
              </Link>
            )}
            {state === "done" ? <Badge tone="success">Done</Badge> : <Badge tone="kraft">To do</Badge>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
