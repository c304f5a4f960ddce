import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { z } from "zod";
import { queryOf } from "#app/api/query.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import type { Labels } from "#app/editing/fields.tsx";
import { labelledChanges } from "#app/editing/labelled-changes.ts";
import { SaveBar } from "#app/editing/save-bar.tsx";
import type { FormOf, Versioned } from "#app/editing/use-form-of.ts";
import { type AcademyContent, getContent } from "#contract/admin/content.ts";
import { useActForm } from "../act-form.ts";

interface EditorProps<Schema extends z.ZodType<object>> {
  title: string;
  schema: Schema;
  labels: Labels<z.infer<Schema>>;
  /** The name under which this browser keeps the input until it is saved. */
  name: string;
  saved: Versioned<z.infer<Schema>>;
  isNew?: boolean;
  /** Changes the input before it is validated and saved. */
  settle?: (body: z.infer<Schema>) => z.infer<Schema>;
  save: (body: z.infer<Schema>, version: string | undefined) => Promise<AcademyContent>;
  onSaved?: ((content: AcademyContent) => void) | undefined;
  /** Further buttons beside the one that saves. */
  buttons?: (form: FormOf<z.infer<Schema>>) => ReactNode;
  children: (form: FormOf<z.infer<Schema>>) => ReactNode;
}

/**
 * Edits one item of the course. Saving stores a draft, which the pages show only once it is published. The server
 * refuses input that is based on an older version, so that it does not overwrite a newer one.
 */
export function Editor<Schema extends z.ZodType<object>>(props: EditorProps<Schema>) {
  const { title, schema, labels, name, saved, isNew = false, settle, save, onSaved, buttons, children } = props;
  const queryClient = useQueryClient();
  const form = useActForm(schema, {
    kept: name,
    saved,
    ...(settle && { settle }),
    send: save,
    words: { done: "Draft saved", failed: "Failed to save the draft" },
    onDone(content) {
      queryClient.setQueryData(queryOf(getContent).queryKey, content);
      onSaved?.(content);
    },
  });
  return (
    <form {...form.frame} aria-label={title} className="grid gap-5">
      <h2 tabIndex={-1} className="scroll-mt-6 font-bold text-heading wrap-anywhere">
        {title}
      </h2>
      {/* Disabled while saving, because success discards the input, including what is typed meanwhile. */}
      <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
        <ChangedMeanwhile form={form} compare={(mine, theirs) => labelledChanges(mine, theirs, labels)} />
        {children(form)}
      </fieldset>
      <SaveBar form={form} save="Save draft" otherwise={isNew ? "Nothing entered yet" : "No unsaved changes"}>
        {buttons?.(form)}
      </SaveBar>
    </form>
  );
}
