import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getLessonBody } from "#contract/lesson-pages.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { FormattedText } from "../formatted-text.tsx";

/** The lesson's text. Loads with the page, since paper would miss a text that waits for a scroll. */
export function LessonBody({ lessonId }: { lessonId: string }) {
  const { data, isError, refetch } = useQuery(queryOf(getLessonBody, { params: { lessonId } }));
  if (isError) return <PartFailed what="the lesson’s text" retry={refetch} />;
  if (!data) return <PartLoading what="the lesson’s text" className="h-48" />;
  return data.html && <FormattedText html={data.html} className="max-w-[68ch] leading-relaxed" />;
}
