import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Audience, AudiencePage } from "#contract/admin/announcements.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { PageSteps } from "#ui/table.tsx";
import { peopleWords } from "../batches/batch-words.ts";
import { Nothing, Panel } from "../panel.tsx";
import { audienceQuery } from "./announcement-queries.ts";

/** Who would get the announcement now, how many they are, and how many of the audience are left out and why. */
export function AudiencePanel({ audience }: { audience: Audience }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const { data, isPending, refetch } = useQuery(audienceQuery(audience, cursors.at(-1)));
  const last = data?.people.at(-1)?.id;
  const shown = cursors.length * 20 + (data?.people.length ?? 0);
  return (
    <Panel title="Who gets it">
      {isPending ? (
        <PartLoading what="recipients" />
      ) : data ? (
        <>
          <p className="narrow text-title tabular-nums" aria-live="polite">
            {peopleWords(data.total)}
          </p>
          <p className="mt-1 text-ink-soft text-sm">{leftOutWords(data)}</p>
          {data.people.length === 0 ? (
            <Nothing>Nobody is in this audience now.</Nothing>
          ) : (
            <ul className="mt-4 text-sm">
              {data.people.map(({ id, name, email }) => (
                <li key={id} className="min-w-0 border-line border-b py-2 last:border-b-0 wrap-anywhere">
                  <Link to={href.adminUser(id)} className="underline-offset-4 hover:underline">
                    {name ?? email}
                  </Link>
                  {name && <span className="block text-fine text-ink-soft">{email}</span>}
                </li>
              ))}
            </ul>
          )}
          {data.total > 20 && (
            <div className="mt-3">
              <PageSteps
                onPrevious={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : null}
                onNext={last && shown < data.total ? () => setCursors([...cursors, last]) : null}
              />
            </div>
          )}
        </>
      ) : (
        <PartFailed what="the recipients" retry={refetch} />
      )}
    </Panel>
  );
}

function leftOutWords({ unsubscribed, unconfirmed, suspended }: AudiencePage): string {
  const parts = [
    [unsubscribed, "unsubscribed"],
    [unconfirmed, "with an unconfirmed address"],
    [suspended, "suspended"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  return said.length > 0 ? `Left out: ${said.join(", ")}.` : "Nobody of this audience is left out.";
}
