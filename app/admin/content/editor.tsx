import { useQueryClient } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { faultAt, useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import type { Editing, Versioned } from "#app/editing/editing.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import type { AcademyContent } from "#contract/admin/content.ts";
import { Button } from "#ui/controls/button.tsx";
import { Input } from "#ui/controls/field.tsx";
import { useAct } from "../act.ts";
import { contentQuery } from "../admin-queries.ts";

interface EditorProps<Content> {
  title: string;
  /** The name under which this browser keeps the input until it is saved. */
  name: string;
  /** The value that the server has stored. */
  saved: Content;
  isNew?: boolean;
  save: (value: Content) => Promise<AcademyContent>;
  onSaved?: (content: AcademyContent) => void;
  children: (editing: Editing<Content>) => ReactNode;
}

/**
 * Edits one item of the course. Saving stores a draft, which the pages show only once it is published. The server
 * refuses input that is based on an older version, so that it does not overwrite a newer one.
 */
export function Editor<Content extends Versioned<object>>(props: EditorProps<Content>) {
  const { title, name, saved, isNew = false, save, onSaved, children } = props;
  const queryClient = useQueryClient();
  const { value: kept, isChanged, change, discard } = useKeptDraft(name, saved);
  // Input that was kept before an update lacks the fields that the update added.
  const value = { ...saved, ...kept };
  const act = useAct(
    () => save(value),
    { done: "Draft saved", failed: "Failed to save the draft" },
    (content) => {
      queryClient.setQueryData(contentQuery.queryKey, content);
      discard();
      onSaved?.(content);
    },
  );
  const { frame, faults, isSending, show, forget } = useForm({
    check: () => {
      const missing = Object.entries(value).filter(([, part]) => Number.isNaN(part));
      return Object.fromEntries(missing.map(([field]) => [field, "Required"]));
    },
    send: () => act.mutateAsync(),
  });
  const editing: Editing<Content> = {
    value,
    change(changes) {
      // The server names entries by position. An error no longer applies when another entry takes the position.
      for (const [name, part] of Object.entries(changes)) {
        if (orderOf(value[name as keyof Content]) !== orderOf(part)) forget(name);
      }
      change({ ...value, ...changes });
    },
    errorOf: (field) => faultAt(faults, field) ?? null,
  };

  function takeBack(): void {
    discard();
    show({});
  }

  return (
    <form {...frame} aria-label={title} className="grid gap-5">
      <div>
        <h2 className="font-bold text-heading wrap-anywhere">{title}</h2>
        <KeptState isChanged={isChanged} otherwise={isNew ? "A new one." : "As saved."} />
      </div>
      {/* Disabled while saving, because success discards the input, including what is typed meanwhile. */}
      <fieldset disabled={isSending} className="grid min-w-0 gap-5">
        <ChangedMeanwhile
          written={value}
          saved={saved}
          onKeep={() => editing.change({ version: saved.version } as Partial<Content>)}
          onDiscard={takeBack}
        />
        {children(editing)}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={isSending} disabled={!isChanged}>
          Save draft
        </Button>
        <Button variant="outline" disabled={!isChanged || isSending} onClick={takeBack}>
          Discard changes
        </Button>
      </div>
    </form>
  );
}

/** The order of a list's entries, by id or else by position. Typing in an entry keeps it. Null for other values. */
function orderOf(value: unknown): string | null {
  return Array.isArray(value) ? value.map((entry, at) => entry?.id ?? at).join(" ") : null;
}

interface NumberInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "type"> {
  value: number;
  onChange: (value: number) => void;
}

/** A number field. NaN while it is empty. */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  return (
    <Input
      {...rest}
      type="number"
      value={Number.isFinite(value) ? value : ""}
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
  );
}
