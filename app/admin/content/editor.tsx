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
  /** What it is kept under in this browser until it is saved. */
  name: string;
  /** As the server has it. */
  saved: Content;
  isNew?: boolean;
  save: (value: Content) => Promise<AcademyContent>;
  onSaved?: (content: AcademyContent) => void;
  children: (editing: Editing<Content>) => ReactNode;
}

/**
 * Edits one thing of the course. Saving drafts it; nothing shows on the pages before it is published. Who began from an
 * older version overwrites nobody.
 */
export function Editor<Content extends Versioned<object>>(props: EditorProps<Content>) {
  const { title, name, saved, isNew = false, save, onSaved, children } = props;
  const queryClient = useQueryClient();
  const { value: kept, isChanged, change, discard } = useKeptDraft(name, saved);
  // What was kept before an update lacks what came with it.
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
      // What was found at an entry's place is not wrong with the one that takes it.
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
      {/* What is typed while it is saved would be gone with the draft. */}
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

/** Of a list of entries; they keep their ids, or else their number, while they are written. */
function orderOf(value: unknown): string | null {
  return Array.isArray(value) ? value.map((entry, at) => entry?.id ?? at).join(" ") : null;
}

interface NumberInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "type"> {
  value: number;
  onChange: (value: number) => void;
}

/** A number; NaN while nothing is typed. */
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
