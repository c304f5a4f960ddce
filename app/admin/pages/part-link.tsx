import { Link } from "react-router";
import type { AcademyContent } from "#contract/admin/content.ts";
import { partTitles } from "../content/part-titles.ts";

export function PartLink({ part, isOpen }: { part: AcademyContent["copy"][number] | undefined; isOpen: boolean }) {
  const copy = part?.draft ?? part?.published;
  if (!copy) return null;
  return (
    <Link
      to={`/admin/pages?edit=${copy.part}`}
      preventScrollReset
      aria-current={isOpen || undefined}
      className="flex min-h-10 flex-wrap items-center gap-x-3 rounded-sm px-2 py-1 text-sm hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-canvas"
    >
      {partTitles[copy.part]}
      {part?.draft && <span className="printed opacity-80">Draft</span>}
    </Link>
  );
}
