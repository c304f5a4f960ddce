import { useEffect } from "react";
import { maxSelected } from "#contract/admin/admin.ts";
import type { RowSelection } from "#ui/table.tsx";
import { useEntryState } from "./entry-state.ts";
import type { ShownList } from "./list.tsx";

interface Kept {
  /** The list's filter. A different filter clears the selection. */
  filter: string;
  /** Every row that matches the filter, except `ids`. */
  isAll: boolean;
  ids: readonly string[];
}

const nothing = { isAll: false, ids: [] as readonly string[] };

/** The ticked rows of a list, across all its pages. */
export function useSelection<Row extends { id: string }, Values extends object>(
  { of, values: filter, total }: ShownList<Row, Values>,
  { nameOf, most = maxSelected }: { nameOf: (row: Row) => string; most?: number },
) {
  const key = JSON.stringify(filter);
  const [kept, keep] = useEntryState<Kept>(`selected ${of.what}`);
  const isOther = kept !== null && kept.filter !== key;
  if (isOther) keep(null);
  const { isAll, ids } = kept === null || isOther ? nothing : kept;
  const count = isAll ? Math.max(0, (total ?? 0) - ids.length) : ids.length;
  const clear = () => keep(null);
  useEscape(count > 0, clear);
  const rows: RowSelection<Row> = {
    isSelected: ({ id }) => ids.includes(id) !== isAll,
    nameOf,
    onSelect(changed, isSelected) {
      const others = ids.filter((id) => !changed.some((row) => row.id === id));
      const named = isSelected !== isAll ? [...others, ...changed.map(({ id }) => id)] : others;
      keep({ filter: key, isAll, ids: named.slice(0, most) });
    },
  };
  return {
    rows,
    count,
    isAll,
    isFull: !isAll && ids.length === most,
    /** For the request. */
    selection: isAll ? { filter, except: [...ids] } : { ids: [...ids] },
    ids,
    selectAll: () => keep({ filter: key, isAll: true, ids: [] }),
    clear,
  };
}

/** Calls `act` on Escape, unless the key closes or clears something else. */
function useEscape(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const isElsewhere = target.closest("[role=dialog],[role=menu],select,textarea,input:not([type=checkbox])");
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  });
}
