import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { formatCount } from "#ui/format/numbers.ts";

interface SelectionBarProps {
  list: { of: { what: string }; total: number | null };
  selected: { count: number; isAll: boolean; isFull: boolean; selectAll: () => void; clear: () => void };
  /** False if only ticked rows can be selected. */
  canSelectAll?: boolean;
  children: ReactNode;
}

/** The number of selected rows, and the actions for them. Hidden while none is selected. */
export function SelectionBar({ list, selected, canSelectAll = true, children }: SelectionBarProps) {
  const { count, isAll, isFull } = selected;
  const { what } = list.of;
  const total = list.total ?? 0;
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `${formatCount(count)} of ${formatCount(total)} ${what} selected. Escape clears the selection.`}
      </p>
      {count > 0 && (
        <section
          aria-label={`Selected ${what}`}
          className="selection-bar action-bar z-30 mt-3 [--below:0.5rem] flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border-2 border-edge bg-surface px-4 py-2.5 shadow-raised max-sm:px-3"
        >
          <p className="mr-auto flex flex-wrap items-center gap-x-3 text-sm">
            <strong className="tabular-nums">{formatCount(count)} selected</strong>
            {isFull && <span className="text-fine text-ink-soft">You can’t select more one at a time.</span>}
            {canSelectAll && !isAll && total > count && (
              <Button variant="quiet" size="small" className="-ml-2 px-2! underline" onClick={selected.selectAll}>
                <span>
                  Select all {formatCount(total)} <span className="max-sm:sr-only">that match</span>
                </span>
              </Button>
            )}
          </p>
          <Button variant="quiet" size="small" className="-mx-2 px-2! sm:order-last" onClick={selected.clear}>
            Clear<span className="sr-only"> the selection</span>
          </Button>
          <div className="flex flex-wrap items-center gap-2 max-sm:[&_button]:px-2.5!">{children}</div>
        </section>
      )}
    </>
  );
}
