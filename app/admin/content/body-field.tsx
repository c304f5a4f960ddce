import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type RefObject, useRef } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { useSettled } from "#app/editing/use-settled.ts";
import { FormattedText } from "#app/learning/formatted-text.tsx";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import { type LessonContent, previewText, undescribed } from "#contract/admin/content.ts";
import { uploadFigure } from "#contract/admin/pictures.ts";
import { Button } from "#ui/controls/button.tsx";
import { lessonLabels } from "./labels.ts";

interface BodyFieldProps {
  form: FormOf<LessonContent>;
  /** Null for a new lesson, which has no files yet. */
  lessonId: string | null;
}

/** The lesson's text in Markdown, with a toolbar and a preview. */
export function BodyField({ form, lessonId }: BodyFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  return (
    <FormField
      form={form}
      name="body"
      label={lessonLabels.body}
      hint={
        form.value.kind === "text"
          ? "Markdown. This is what students read."
          : "Markdown. Shown below the video. Leave empty for none."
      }
      rows={16}
      controlClass="h-full font-mono text-sm"
      around={(control) => (
        <>
          <Toolbar field={field} lessonId={lessonId} />
          {/* Side by side where both fit. After a container query, Chromium 156 left the field without a height. */}
          <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(min(100%,17.5rem),1fr))] gap-4">
            <div ref={field} className="min-w-0">
              {control}
            </div>
            <Preview text={form.value.body ?? ""} />
          </div>
        </>
      )}
    />
  );
}

/** Marks around the selected words. */
const around = [
  ["Bold", "**", "**"],
  ["Italic", "*", "*"],
  ["Code", "`", "`"],
  ["Link", "[", "](https://)"],
] as const;
/** Marks in front of each selected line. */
const ahead = [
  ["Heading", "## "],
  ["List", "- "],
  ["Steps", "1. "],
  ["Quote", "> "],
] as const;
const table = "\n\n| Column | Column |\n|---|---|\n| Cell | Cell |\n\n";

function Toolbar({ field, lessonId }: { field: RefObject<HTMLDivElement | null>; lessonId: string | null }) {
  const picture = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set("figure", file);
      return api(uploadFigure, { form });
    },
    onSuccess: ({ src }) =>
      edit(field, ({ start, end, value }) => {
        // Below the picture whose description is just being written, not into it.
        const written = [...value.matchAll(/!\[[^\]]*\]\([^)]*\)/g)]
          .map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
          .find(({ from, to }) => from < start && end < to);
        return {
          from: written?.to ?? start,
          to: written?.to ?? end,
          before: written ? "\n\n![" : "![",
          words: (!written && value.slice(start, end)) || undescribed,
          after: `](${src})`,
        };
      }),
  });
  const { data: resources = [] } = useQuery({ ...resourcesQuery, enabled: lessonId !== null });
  const files = lessonId === null ? [] : resources.filter((resource) => resource.lessonId === lessonId);

  function wrap(before: string, after: string, empty = "text"): void {
    edit(field, ({ start, end, value }) => ({
      from: start,
      to: end,
      before,
      words: value.slice(start, end) || empty,
      after,
    }));
  }

  return (
    <fieldset aria-label="Format the text" className="flex flex-wrap gap-2">
      {around.map(([label, before, after]) => (
        <Button key={label} variant="outline" size="small" onClick={() => wrap(before, after)}>
          {label}
        </Button>
      ))}
      {ahead.map(([label, mark]) => (
        <Button
          key={label}
          variant="outline"
          size="small"
          onClick={() =>
            edit(field, ({ start, end, value }) => {
              const from = value.lastIndexOf("\n", start - 1) + 1;
              const lines = value.slice(from, end) || "text";
              return { from, to: end, before: mark, words: lines.replaceAll("\n", `\n${mark}`), after: "" };
            })
          }
        >
          {label}
        </Button>
      ))}
      <Button variant="outline" size="small" onClick={() => wrap(table, "", "")}>
        Table
      </Button>
      <input
        ref={picture}
        type="file"
        accept="image/png,image/webp,image/jpeg"
        hidden
        aria-label="Picture"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Lets the same file be chosen again: browsers report only changes.
          target.value = "";
          if (file) upload.mutate(file);
        }}
      />
      <Button variant="outline" size="small" pending={upload.isPending} onClick={() => picture.current?.click()}>
        Picture
      </Button>
      {files.map(({ id, title }) => (
        <Button key={id} variant="outline" size="small" onClick={() => wrap("[", `](/api/download/${id})`, title)}>
          File: {title}
        </Button>
      ))}
      {upload.error && (
        <p role="alert" className="w-full font-semibold text-danger text-fine">
          {messageOf(upload.error, "We couldn't upload the picture. Try again in a moment.")}
        </p>
      )}
    </fieldset>
  );
}

interface Selection {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  /** Selected afterwards. */
  readonly words: string;
  readonly after: string;
}

function edit(field: RefObject<HTMLDivElement | null>, replace: (selection: Selection) => Replacement): void {
  const control = field.current?.querySelector("textarea");
  if (!control) return;
  const { selectionStart: start, selectionEnd: end, value } = control;
  const { from, to, before, words, after } = replace({ start, end, value });
  control.setRangeText(before + words + after, from, to);
  // As if typed, which the form listens to.
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.focus();
  control.setSelectionRange(from + before.length, from + before.length + words.length);
}

function Preview({ text }: { text: string }) {
  const settled = useSettled(text);
  const { data, isError } = useQuery({
    // Not below "admin": each change refetches those queries.
    queryKey: ["preview-text", settled],
    queryFn: ({ signal }) => api(previewText, { body: { text: settled }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <section
      aria-label="Preview of the text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
      tabIndex={0}
      className="grid max-h-[32rem] min-h-24 min-w-0 content-start gap-3 overflow-y-auto rounded-sm bg-sunken p-4"
    >
      <p className="text-fine text-ink-soft">
        {isError ? "We couldn't load the preview." : "Preview, as students see it"}
      </p>
      {data && <FormattedText html={data.html} />}
    </section>
  );
}
