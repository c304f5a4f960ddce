import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { fieldsOf } from "#contract/entries.ts";
import { Button } from "#ui/controls/button.tsx";
import { Changes } from "./change-list.tsx";
import { type Change, changesBetween } from "./changes.ts";
import type { FormOf, Versioned } from "./use-form-of.ts";

interface ChangedMeanwhileProps<Body> {
  form: Pick<FormOf<Body>, "value" | "saved" | "isConflict" | "change" | "discard">;
  /** Returns the fields under the form's labels. Defaults to the body's own fields. */
  describe?: ((body: Body) => object) | undefined;
  /** Defaults to the differences of what `describe` returns. */
  compare?: ((mine: Body, theirs: Body) => Change[]) | undefined;
}

/**
 * Inside a form: shows what somebody else has saved since the edit began, and lets the user decide which version stays.
 */
export function ChangedMeanwhile<Body extends object>({
  form,
  describe = fieldsOf,
  compare = (mine, theirs) => changesBetween(describe(mine), describe(theirs)),
}: ChangedMeanwhileProps<Body>) {
  const { value, saved, isConflict, change, discard } = form;
  if (value.version === saved.version) return null;
  const bodyOf = ({ version: _, ...body }: Versioned<Body>) => body as unknown as Body;
  return (
    <Meanwhile
      label="Changed meanwhile"
      isAsking={isConflict}
      why="Someone else saved changes here after you started. Your changes are still in this browser. Keep yours and save again, or use theirs."
      onKeep={() => change({ version: saved.version } as Partial<Versioned<Body>>)}
      discard="Use theirs"
      onDiscard={discard}
    >
      <details>
        <summary>Compare your changes with theirs</summary>
        <Changes changes={compare(bodyOf(value), bodyOf(saved))} />
      </details>
    </Meanwhile>
  );
}

interface MeanwhileProps {
  label: string;
  /** Whether the user cannot save before deciding, and so gets it in view and focused. */
  isAsking?: boolean;
  why: string;
  onKeep: () => void;
  /** The label of the discard button. */
  discard: string;
  onDiscard: () => void;
  children?: ReactNode;
}

/** Belongs in the form: what somebody else did since the edit began, and the choice to keep or discard the edit. */
export function Meanwhile({ label, isAsking = false, why, onKeep, discard, onDiscard, children }: MeanwhileProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isAsking) return;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "center" });
  }, [isAsking]);
  /** Moves the focus into the form, because the pressed button disappears. */
  const decide = (decision: () => void, next: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    decision();
    form?.querySelector<HTMLElement>(next)?.focus();
  };
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={label}
      className="grid gap-3 rounded-sm border-2 border-danger bg-danger-soft p-4 text-sm"
    >
      <p className="font-semibold">{why}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" size="small" onClick={decide(onKeep, "[type=submit]")}>
          Keep mine
        </Button>
        <Button variant="outline" size="small" onClick={decide(onDiscard, "input, select, textarea")}>
          {discard}
        </Button>
      </div>
      {children}
    </section>
  );
}
