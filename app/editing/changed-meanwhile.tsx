import { fieldsOf } from "#contract/entries.ts";
import { Button } from "#ui/controls/button.tsx";
import { ChangeList } from "./change-list.tsx";
import type { Editing, Versioned } from "./editing.ts";

interface ChangedMeanwhileProps<Content extends Versioned<object>> {
  editing: Editing<Content>;
  saved: Content;
}

/** What somebody else saved since this was begun; who reads it decides whose words stay. */
export function ChangedMeanwhile<Content extends Versioned<object>>({
  editing,
  saved,
}: ChangedMeanwhileProps<Content>) {
  if (editing.value.version === saved.version) return null;
  const { version: _, ...written } = editing.value;
  const { version: __, ...found } = saved;
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
        <ChangeList before={fieldsOf(written)} after={fieldsOf(found)} />
      </details>
      <Button
        variant="outline"
        size="small"
        onClick={() => editing.change({ version: saved.version } as Partial<Content>)}
        className="justify-self-start"
      >
        Keep mine
      </Button>
    </section>
  );
}
