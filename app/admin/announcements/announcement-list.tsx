import { type Announcement, listAnnouncements } from "#contract/admin/announcements.ts";
import { Badge } from "#ui/badge.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { ListTable, useAdminList } from "../list.tsx";
import { RowTitle } from "../row-title.tsx";
import { isChanging } from "./announcement-queries.ts";
import { audienceWords, progressWords, stateWords } from "./announcement-words.ts";

const columns: readonly Column<Announcement>[] = [
  {
    key: "subject",
    label: "Subject",
    wide: true,
    cell: ({ id, subject, audience, lessonTitle }) => (
      <RowTitle to={`?open=${id}`} title={subject}>
        {audienceWords(audience, lessonTitle)}
      </RowTitle>
    ),
  },
  {
    key: "state",
    label: "State",
    cell: ({ state }) => <Badge tone={stateWords[state].tone}>{stateWords[state].words}</Badge>,
  },
  { key: "progress", label: "Emails", cell: progressWords },
  {
    key: "date",
    label: "Date",
    cell: ({ state, startsAt, finishedAt, startedAt, createdAt }) =>
      formatTimestamp(finishedAt ?? (state === "scheduled" ? startsAt : null) ?? startedAt ?? createdAt),
  },
];

export function List() {
  const list = useAdminList<Announcement, object>({
    endpoint: listAnnouncements,
    label: "Announcements",
    what: "announcements",
    columns,
    isChanging,
  });
  return <ListTable list={list} empty="No announcements yet" />;
}
