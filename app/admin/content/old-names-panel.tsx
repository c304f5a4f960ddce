import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useMay } from "#app/identity/may.tsx";
import { listAnnouncements } from "#contract/admin/announcements.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import { firstPageOf } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { oldNamesIn } from "./old-names.ts";

/** Lists texts that would keep a plan's old name when its draft is published. Nothing while there are none. */
export function OldNamesPanel({ content }: { content: AcademyContent }) {
  const mayReadAnnouncements = useMay("announcements:send");
  const isRenaming = content.plans.some(({ published, draft }) => draft && published?.name !== draft.name);
  const { data } = useQuery({ ...firstPageOf(listAnnouncements), enabled: isRenaming && mayReadAnnouncements });
  return oldNamesIn(content, data?.rows ?? []).map(({ tier, name, texts }) => (
    <Panel
      key={name}
      title={`${texts.length === 1 ? "1 text still says" : `${texts.length} texts still say`} “${name}”`}
    >
      <p className="max-w-prose text-ink-soft text-sm">
        Publishing the new name doesn’t change these texts. In page texts, write <code>{`{plan:${tier}}`}</code> to
        always show the current name.
      </p>
      <ul className="mt-3 flex flex-wrap gap-x-6 text-sm">
        {texts.map(({ title, to }) => (
          <li key={to}>
            <Link
              to={to}
              className="inline-flex min-h-11 items-center wrap-anywhere underline decoration-2 underline-offset-4"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  ));
}
