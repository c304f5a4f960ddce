import { cx } from "class-variance-authority";
import { type MouseEvent, type ReactNode, useId } from "react";
import { formatCount } from "#ui/format/numbers.ts";
import { Icon } from "#ui/icon.tsx";
import { Button } from "./controls/button.tsx";
import { Select } from "./controls/field.tsx";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** The sort key. Without it the column cannot be sorted. */
  sort?: string | undefined;
  /** Aligns numbers at the end of the column. */
  end?: boolean;
  /** Takes the remaining width. */
  wide?: boolean;
  /** Left out of brief rows. */
  isDetail?: boolean;
}

export interface Order {
  by: string;
  descending: boolean;
}

/** Selectable rows. */
export interface RowSelection<Row> {
  isSelected: (row: Row) => boolean;
  /** The accessible name of a row, such as "Ada Shelf". */
  nameOf: (row: Row) => string;
  onSelect: (rows: readonly Row[], isSelected: boolean) => void;
}

interface TableProps<Row> {
  /** Names the list for screen readers. Not visible. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  order?: Order | null;
  /** Called with the order of the clicked heading. Without it no column can be sorted. */
  onOrder?: ((order: Order) => void) | undefined;
  /** In narrow layouts, a row is its first column with the other ones in a line below, without headings. */
  isBrief?: boolean | undefined;
  /** Adds a checkbox to each row. */
  selection?: RowSelection<Row> | undefined;
  /** Whether the rows are outdated, while the next ones load. */
  isStale?: boolean;
}

/**
 * A table, or in narrow containers one block per row with its headings inside. Sets the roles explicitly, because
 * changing a table's CSS display removes them.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, order, onOrder, isBrief, selection, isStale } = props;
  const tickId = useId();
  const hasBar = Boolean(selection || onOrder);
  return (
    <div className="@container">
      {hasBar && (
        <div className="mb-2 flex flex-wrap items-center gap-x-4 @4xl:hidden">
          {selection && (
            <div className="-ml-2 flex items-center text-sm">
              <PageTick id={tickId} rows={rows} selection={selection} isStale={isStale} />
              <label htmlFor={tickId}>Select this page</label>
            </div>
          )}
          {onOrder && <OrderSelect columns={columns} order={order ?? null} onOrder={onOrder} />}
        </div>
      )}
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table
        role="table"
        aria-busy={isStale}
        className={cx(
          "w-full border-collapse text-left text-sm transition-opacity @max-4xl:block",
          isStale && "opacity-60",
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="@max-4xl:hidden">
          <tr role="row" className="border-ink border-b-2">
            {selection && (
              <th scope="col" className="w-9">
                <PageTick rows={rows} selection={selection} isStale={isStale} label="Select this page" />
              </th>
            )}
            {columns.map((column, at) => (
              <Heading key={column.key} column={column} isFirst={at === 0} order={order ?? null} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the row's link */}
        <tbody role="rowgroup" className="@max-4xl:block" onClick={openRow}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={cx(
                "border-line border-b transition-colors has-[[data-opens]]:cursor-pointer last:border-b-0",
                isBrief
                  ? "@max-4xl:relative @max-4xl:flex @max-4xl:flex-wrap @max-4xl:items-center @max-4xl:gap-x-3 @max-4xl:gap-y-1 @max-4xl:py-2.5"
                  : "@max-4xl:grid @max-4xl:gap-2 @max-4xl:py-4",
                !hasBar && "@max-4xl:first:pt-0",
                selection && (isBrief ? "@max-4xl:pl-8" : "@max-4xl:grid-cols-[2.25rem_minmax(0,1fr)]"),
                selection?.isSelected(row) ? "bg-sunken" : "hover:bg-sunken/50",
              )}
            >
              {selection && (
                <td
                  role="cell"
                  className={cx(
                    "align-middle @max-4xl:p-0",
                    isBrief ? "@max-4xl:absolute @max-4xl:top-1.5 @max-4xl:-left-2" : "@max-4xl:-ml-2",
                  )}
                >
                  <Tick
                    label={`Select ${selection.nameOf(row)}`}
                    checked={selection.isSelected(row)}
                    onChange={(isSelected) => selection.onSelect([row], isSelected)}
                  />
                </td>
              )}
              {columns.map(({ key, label, cell, end, wide, isDetail }, at) => (
                <td
                  key={key}
                  role="cell"
                  className={cx(
                    "px-3 py-2.5 align-middle @max-4xl:p-0",
                    isBrief
                      ? cx(isDetail && "@max-4xl:hidden", briefPlaceOf(label, at))
                      : "@max-4xl:grid @max-4xl:items-baseline @max-4xl:gap-x-4",
                    !isBrief && label && at > 0 && "@max-4xl:grid-cols-[6.5rem_minmax(0,1fr)]",
                    !isBrief &&
                      selection &&
                      label &&
                      at > 0 &&
                      "@max-[18rem]:grid-cols-[4rem_minmax(0,1fr)] @max-[18rem]:gap-x-2",
                    end && "@4xl:text-right tabular-nums",
                    wide && "@4xl:w-full",
                    at === 0 && "@4xl:pl-1",
                    !isBrief && selection && "@max-4xl:col-start-2",
                  )}
                >
                  {label && at > 0 && !isBrief && <span className="printed text-ink-soft @4xl:hidden">{label}</span>}
                  <div className={cx("min-w-0 wrap-anywhere", !wide && "@4xl:whitespace-nowrap")}>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}

/** The first column and the actions share the first line of a brief row. */
function briefPlaceOf(label: string, at: number): string {
  if (at === 0) return "@max-4xl:w-[calc(100%-3.75rem)]";
  return label === ""
    ? "@max-4xl:order-1 @max-4xl:ml-auto @max-4xl:self-start"
    : "@max-4xl:order-2 @max-4xl:max-w-full";
}

/** A click on a row is one on its link or button with `data-opens`, with Ctrl in a new tab. */
function openRow({ target, currentTarget, ctrlKey, metaKey }: MouseEvent<HTMLElement>) {
  // Dialogs that the row opened are elsewhere in the document.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest("a, button, input, label, dialog, [role=menu]") || String(getSelection()) !== "") return;
  const opener = target.closest("tr")?.querySelector("[data-opens]");
  opener?.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey }));
}

interface PageTickProps<Row> {
  rows: readonly Row[];
  selection: RowSelection<Row>;
  isStale: boolean | undefined;
  /** Without a label, one is shown beside it. */
  label?: string;
  id?: string;
}

function PageTick<Row>({ rows, selection, isStale, label, id }: PageTickProps<Row>) {
  const ticked = rows.filter(selection.isSelected).length;
  return (
    <Tick
      id={id}
      label={label}
      checked={rows.length > 0 && ticked === rows.length}
      isPartial={ticked > 0 && ticked < rows.length}
      // It would select rows that the new filter may leave out.
      disabled={isStale}
      onChange={(isSelected) => selection.onSelect(rows, isSelected)}
    />
  );
}

interface TickProps {
  id?: string | undefined;
  label: string | undefined;
  checked: boolean;
  /** Whether some but not all of its rows are selected. */
  isPartial?: boolean;
  disabled?: boolean | undefined;
  onChange: (checked: boolean) => void;
}

/** A checkbox, large enough for touch. */
export function Tick({ id, label, checked, isPartial = false, disabled, onChange }: TickProps) {
  return (
    <span className="grid size-9 shrink-0 place-items-center">
      <input
        ref={(input) => {
          if (input) input.indeterminate = isPartial;
        }}
        id={id}
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
        className="size-5 accent-action"
      />
    </span>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  isFirst: boolean;
  order: Order | null;
  onOrder: ((order: Order) => void) | undefined;
}

function Heading<Row>({ column: { label, sort, end }, isFirst, order, onOrder }: HeadingProps<Row>) {
  const isOrdered = sort !== undefined && order?.by === sort;
  return (
    <th
      scope="col"
      aria-sort={isOrdered ? (order.descending ? "descending" : "ascending") : undefined}
      className={cx(
        "whitespace-nowrap px-3 py-2 font-semibold text-ink-soft text-fine",
        isFirst && "@4xl:pl-1",
        end && "text-right",
      )}
    >
      {sort && onOrder ? (
        <button
          type="button"
          onClick={() => onOrder({ by: sort, descending: isOrdered && !order.descending })}
          className={cx(
            "-mx-2 inline-flex min-h-9 items-center gap-1.5 rounded-sm px-2 hover:bg-sunken",
            isOrdered && "text-ink",
          )}
        >
          {label}
          <span className="grid gap-0.5">
            <Icon name="up" className={cx("w-2", !(isOrdered && !order.descending) && "opacity-30")} />
            <Icon name="down" className={cx("w-2", !(isOrdered && order.descending) && "opacity-30")} />
          </span>
        </button>
      ) : (
        label || <span className="sr-only">Actions</span>
      )}
    </th>
  );
}

/** Sorting for layouts without headings. */
function OrderSelect<Row>({
  columns,
  order,
  onOrder,
}: Required<Pick<TableProps<Row>, "columns">> &
  Omit<HeadingProps<Row>, "column" | "isFirst"> & { onOrder: (order: Order) => void }) {
  const id = useId();
  return (
    <div className="flex items-center gap-3 text-sm">
      <label htmlFor={id} className="max-sm:sr-only">
        Order by
      </label>
      <Select
        id={id}
        value={order ? `${order.by} ${order.descending}` : ""}
        onChange={({ target }) => {
          const [by = "", descending] = target.value.split(" ");
          onOrder({ by, descending: descending === "true" });
        }}
        className="min-h-9! py-1! text-sm!"
      >
        {columns.map(({ sort, label }) =>
          sort === undefined ? null : (
            <optgroup key={sort} label={label}>
              <option value={`${sort} false`}>{label}, ascending</option>
              <option value={`${sort} true`}>{label}, descending</option>
            </optgroup>
          ),
        )}
      </Select>
    </div>
  );
}

interface PagerProps {
  /** Names the list for screen readers, because a page can have several. */
  what: string;
  /** The number of rows before the first one shown. */
  offset: number;
  shown: number;
  /** Null while being counted. */
  total: number | null;
  /** Null on the first page. */
  onPrevious: (() => void) | null;
  /** Null on the last page. */
  onNext: (() => void) | null;
}

/** The position in a long list, with buttons to other pages. */
export function Pager({ what, offset, shown, total, onPrevious, onNext }: PagerProps) {
  const range = shown === 0 ? "0" : `${formatCount(offset + 1)}–${formatCount(offset + shown)}`;
  return (
    <nav aria-label={`Pages of ${what}`} className="flex flex-wrap items-center justify-between gap-4 pt-4">
      <p aria-live="polite" className="printed text-ink-soft">
        {total === null ? range : `${range} of ${formatCount(total)}`}
      </p>
      {(onPrevious || onNext) && <PageSteps onPrevious={onPrevious} onNext={onNext} />}
    </nav>
  );
}

/** Buttons to the previous and the next page. Null disables one. */
export function PageSteps({ onPrevious, onNext }: Pick<PagerProps, "onPrevious" | "onNext">) {
  return (
    <div className="flex flex-wrap gap-2">
      <Step label="Previous" onPress={onPrevious} />
      <Step label="Next" onPress={onNext} />
    </div>
  );
}

function Step({ label, onPress }: { label: string; onPress: (() => void) | null }) {
  return (
    <Button variant="outline" size="small" disabled={!onPress} onClick={() => onPress?.()}>
      {label}
    </Button>
  );
}
