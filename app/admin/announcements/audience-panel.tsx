import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import { type AnnouncementText, type AudiencePage, getAudience } from "#contract/admin/announcements.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { ListRows, useAdminList } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { audienceQuery } from "./announcement-queries.ts";

type LeftOut = Omit<AudiencePage, "rows" | "total">;

/** Who would get the announcement now, how many they are, and how many of the audience are left out and why. */
export function AudiencePanel({ audience, toTeam }: Pick<AnnouncementText, "audience" | "toTeam">) {
  const list = useAdminList<AudiencePage["rows"][number], object, LeftOut>({
    endpoint: getAudience,
    query: audienceQuery({ audience, toTeam }),
    limit: 20,
    staleTime: 0,
    label: "Recipients",
    what: "recipients",
  });
  return (
    <Panel title="Recipients">
      {list.first && (
        <>
          <p className="narrow text-title tabular-nums" aria-live="polite">
            {peopleWords(list.total ?? 0)}
          </p>
          <p className="mt-1 mb-4 text-ink-soft text-sm">
            {leftOutWords(list.first)} We choose the recipients again when sending begins.
          </p>
        </>
      )}
      <ListRows list={list} empty="Nobody is in this audience right now">
        {(people) => (
          <ul className="text-sm">
            {people.map(({ id, name, email }) => (
              <li key={id} className="min-w-0 border-line border-b py-2 wrap-anywhere">
                <Link to={href.adminUser(id)} className="underline-offset-4 hover:underline">
                  {name ?? email}
                </Link>
                {name && <span className="block text-fine text-ink-soft">{email}</span>}
              </li>
            ))}
          </ul>
        )}
      </ListRows>
    </Panel>
  );
}

function leftOutWords({ unsubscribed, unconfirmed, suspended, team }: LeftOut): string {
  const parts = [
    [unsubscribed, "unsubscribed"],
    [unconfirmed, "with an unconfirmed address"],
    [suspended, "suspended"],
    [team, "on the team"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  return said.length > 0 ? `Left out: ${said.join(", ")}.` : "Everyone in this audience will get it.";
}
