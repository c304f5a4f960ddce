import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import type { Author, QuestionRow } from "#contract/questions.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { Icon } from "#ui/icon.tsx";
import { lessonQuery } from "../current-lesson.ts";

export function titleOf({ title, isDeleted }: Pick<QuestionRow, "title" | "isDeleted">): string {
  return isDeleted ? "Deleted question" : title;
}

interface BylineProps {
  author: Author;
  createdAt: string;
  isEdited: boolean;
}

export function Byline({ author, createdAt, isEdited }: BylineProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <bdi className="wrap-anywhere">{author.isYou ? "You" : (author.name ?? "A former student")}</bdi>
      {author.isOfTeam && <Badge tone="tag">Team</Badge>}
      <span>
        {formatShortDay(createdAt)}
        {isEdited && " · edited"}
      </span>
    </span>
  );
}

/** A second of the lesson, which a press plays. */
export function Second({ row, onWatch }: { row: QuestionRow; onWatch: ((at: number) => void) | undefined }) {
  if (row.at === null) return null;
  const { lessonId, at } = row;
  const label = `Watch at ${formatSecond(at)}`;
  if (!onWatch) {
    return (
      <Link to={href.dashboard() + lessonQuery(lessonId, at)} className="font-semibold underline underline-offset-4">
        {label}
      </Link>
    );
  }
  return (
    <Button variant="outline" size="small" onClick={() => onWatch(at)}>
      <Icon name="play" className="size-3.5 fill-current" />
      {label}
    </Button>
  );
}
