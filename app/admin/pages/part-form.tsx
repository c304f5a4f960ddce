import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { type AcademyContent, draftCopy, getContent, previewUrl, reviewLegalText } from "#contract/admin/content.ts";
import { Copy, type CopyOf, type CopyPart } from "#contract/copy.ts";
import { planName } from "#ui/academy.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { Editor } from "../content/editor.tsx";
import { latest, versioned } from "../content/items.ts";
import { partTitles } from "../content/part-titles.ts";
import { PagePreview } from "./page-preview.tsx";
import { PartFields, partLabels } from "./part-fields.tsx";

interface PartFormProps {
  part: AcademyContent["copy"][number];
  content: AcademyContent;
}

export function PartForm({ part: versions, content }: PartFormProps) {
  const saved = versioned<Copy>(versions);
  const { part } = saved;

  return (
    <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_clamp(20rem,27vw,24.5rem)]">
      <Editor
        title={partTitles[part]}
        schema={Copy}
        name={`copy-${part}`}
        labels={partLabels(content, part)}
        saved={saved}
        save={(body, version = "") => api(draftCopy, { query: { version }, body })}
      >
        {(form) => (
          <>
            <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
              <a
                href={previewUrl(part)}
                target="_blank"
                rel="noreferrer"
                className={buttonStyle({ variant: "outline", size: "small" })}
              >
                Preview<span className="sr-only"> of {partTitles[part]}, in a new tab</span>
              </a>
              <span className="text-ink-soft">The page with all saved drafts.</span>
            </p>
            {(part === "terms" || part === "privacy") && <Review part={part} versions={versions} />}
            {isOff(part, content) && <OffNote />}
            {part !== "sections" && <HowToWrite />}
            <PartFields copy={form} content={content} />
          </>
        )}
      </Editor>
      <PagePreview part={part} />
    </div>
  );
}

/** Whether every section with texts of the part is off, in the draft or else as published. */
function isOff(part: CopyPart, { copy }: AcademyContent): boolean {
  const found = copy.find(({ id }) => id === "sections");
  const { sections } = (found ? latest(found) : {}) as Partial<CopyOf<"sections">>;
  const own = sections?.filter(({ id }) => id === part || (part === "topics" && id === "curriculum")) ?? [];
  return own.length > 0 && own.every(({ isShown }) => !isShown);
}

function OffNote() {
  return (
    <p className="rounded-sm bg-kraft-soft px-4 py-3 text-sm">
      The landing page doesn’t show this section. Turn it on under{" "}
      <Link to="/admin/pages?edit=sections" preventScrollReset className="underline underline-offset-4">
        {partTitles.sections}
      </Link>
      .
    </p>
  );
}

interface ReviewProps {
  part: "terms" | "privacy";
  versions: AcademyContent["copy"][number];
}

/** Marks a legal text as reviewed. A text that still holds needs no new version, and keeps the day on its page. */
function Review({ part, versions: { draft, reviewedAt, publishedVersion: version } }: ReviewProps) {
  const queryClient = useQueryClient();
  const review = useAct(
    () => api(reviewLegalText, { params: { part }, query: { version }, body: {} }),
    { done: "Marked as reviewed", failed: "Failed to mark it" },
    (content) => queryClient.setQueryData(queryOf(getContent).queryKey, content),
  );
  return (
    <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      <Button variant="outline" size="small" pending={review.isPending} onClick={() => review.mutate()}>
        Mark as reviewed
      </Button>
      <span className="text-ink-soft">
        {reviewedAt ? `Last reviewed ${formatDay(reviewedAt)}. ` : ""}
        {draft
          ? "This is about the published text, not about this draft."
          : "Confirms that you’ve read the published text and it still applies."}
      </span>
    </p>
  );
}

function HowToWrite() {
  return (
    <details className="rounded-sm bg-sunken px-4 py-2 text-sm">
      <summary className="min-h-8 content-center font-semibold">How to write</summary>
      <ul className="mt-1 mb-2 grid list-disc gap-1 pl-5 text-ink-soft">
        <li>
          <code>{"{academy}"}</code> becomes the academy’s name, <code>{"{refundDays}"}</code> its refund window, such
          as 7 days. Both are settings. <code>{"{plan:basic}"}</code> becomes the name of the plan, {planName("basic")},
          and <code>{"{modules:basic}"}</code> becomes the modules that {planName("basic")} opens, such as modules 1-3.{" "}
          <code>premium</code> and <code>vip</code> work in the same way.
        </li>
        <li>
          In legal texts and answers, leave an empty line between paragraphs. Start a list item with <code>-</code> and
          a space, and a heading with <code>##</code> and a space. <code>[words](https://…)</code> is a link,{" "}
          <code>{"{email}"}</code> the support address, and in the terms <code>{"{coaching:vip}"}</code> the 1-on-1
          sessions that {planName("vip")} includes.
        </li>
      </ul>
    </details>
  );
}
