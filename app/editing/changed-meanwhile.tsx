import type { MouseEvent } from "react";
import { fieldsOf } from "#contract/entries.ts";
import { Button } from "#ui/controls/button.tsx";
import { ChangeList } from "./change-list.tsx";
import type { Versioned } from "./editing.ts";

interface ChangedMeanwhileProps<Content extends Versioned<object>> {
  written: Content;
  saved: Content;
  /** What was written counts as made from what is saved. */
  onKeep: () => void;
  onDiscard: () => void;
  /** Its fields under the names that its reader knows; without it, those of the content. */
  describe?: (content: Omit<Content, "version">) => object;
}

/** Belongs into the form: what somebody else saved since this was begun; who reads it decides whose words stay. */
export function ChangedMeanwhile<Content extends Versioned<object>>({
  written,
  saved,
  onKeep,
  onDiscard,
  describe = fieldsOf,
}: ChangedMeanwhileProps<Content>) {
  if (written.version === saved.version) return null;
  const { version: _, ...mine } = written;
  const { version: __, ...theirs } = saved;
  /** The keyboard's place goes away with the button, and goes on in the form. */
  const decide = (decision: () => void, next: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    decision();
    form?.querySelector<HTMLElement>(next)?.focus();
  };
  return (
    <section
      aria-label="Changed meanwhile"
      className="grid gap-3 rounded-sm border-2 border-danger bg-danger-soft p-4 text-sm"
    >
      <p className="font-semibold">
        Somebody has saved something else here since you began. What you wrote is kept in this browser; discard it, or
        keep it and save again.
      </p>
      <details>
        <summary>From your words to theirs</summary>
        <ChangeList before={describe(mine)} after={describe(theirs)} />
      </details>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" size="small" onClick={decide(onKeep, "[type=submit]")}>
          Keep mine
        </Button>
        <Button variant="outline" size="small" onClick={decide(onDiscard, "input, select, textarea")}>
          Take theirs
        </Button>
      </div>
    </section>
  );
}
