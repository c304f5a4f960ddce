import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { queryOf } from "#app/api/query.ts";
import { getLessonBody } from "#contract/lesson-pages.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import "#ui/styles/prose.css";

/** The lesson's text. */
export default function LessonBody({ lessonId }: { lessonId: string }) {
  const { data, isError, refetch } = useQuery(queryOf(getLessonBody, { params: { lessonId } }));
  if (isError) return <PartFailed what="the lesson’s text" retry={refetch} />;
  if (!data) return <PartLoading what="the lesson’s text" />;
  return data.html && <FormattedText html={data.html} className="max-w-[68ch] leading-relaxed" />;
}

/** A formatted text, as the server rendered it. */
export function FormattedText({ html, className }: { html: string; className?: string }) {
  return (
    <div
      className={cx("prose grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere", className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: contract/markup.ts escapes all text and checks all addresses
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
