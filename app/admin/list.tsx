import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { z } from "zod";
import { ApiError } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import type { Count, Page } from "#contract/admin/admin.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { type Column, Pager, type RowSelection, Table } from "#ui/table.tsx";
import { useAddress } from "./address.ts";
import { useEntryState } from "./entry-state.ts";
import { Filter, FilterBar, SearchBox } from "./filters.tsx";

/** The server's default. */
const pageSize = 50;

type Call<Reply> = Endpoint<z.ZodUndefined, z.ZodType, z.ZodUndefined, z.ZodType<Reply>>;

interface AdminList<Row, Values, More> {
  endpoint: Call<(Page<Row> & More) | Row[]>;
  /** Counts the rows of a list whose reply is an array. */
  count?: Call<Count>;
  label: string;
  /** What the rows are, such as "users". Unique on a page. */
  what: string;
  /** The part of the query that the user cannot change. */
  query?: Readonly<Record<string, string>>;
  limit?: number;
  /** Zero for what the server must count anew whenever it is shown. */
  staleTime?: number;
  /** Polls while one of the rows is changing by itself. */
  isChanging?: (row: Row) => boolean;
  /** The fields of its filter. */
  fields?: { readonly [Name in keyof Values]?: FilterField<NonNullable<Values[Name]> & string> };
  columns?: readonly Column<Row>[];
}

/** A search, a day, or a choice, where `any` stands for no value. */
type FilterField<Value extends string> =
  | { search: string }
  | { day: string }
  | { label: string; any: string; options: Readonly<Record<Value, string>> };

export type ShownList<Row extends { id: string }, Values extends object> = ReturnType<typeof useAdminList<Row, Values>>;

/** Where the user is in a list. Counts for one filter and order. */
interface Place {
  of: string;
  /** The last row's id of each page before. */
  cursors: readonly string[];
}

const pollMilliseconds = 3000;

/** The first page of a list without a filter, to be loaded in advance. */
export function firstPageOf<Reply extends Page<unknown> | unknown[]>(endpoint: Call<Reply>, query: object = {}) {
  return queryOf(endpoint, { query: { ...query, limit: pageSize } });
}

/**
 * A page of a list. Its filter and order are in the URL. Its place is in the history entry, because it grows with each
 * page, and means nothing to somebody who gets the link.
 * @param Values the query of the endpoint without order and place
 * @param More what the reply has apart from rows and total
 */
export function useAdminList<Row extends { id: string }, Values extends object, More extends object = object>(
  of: AdminList<Row, Values, More>,
) {
  const { endpoint, count, columns = [], limit = pageSize, staleTime = Number.POSITIVE_INFINITY } = of;
  const { read, write } = useAddress();
  const fields = Object.entries((of.fields ?? {}) as Record<string, FilterField<string>>);
  const values = Object.fromEntries(fields.map(([name, field]) => [name, valueIn(field, read(name))])) as Values &
    Record<string, string | undefined>;
  const sort = columns.find((column) => column.sort && column.sort === read("sort"))?.sort;
  const order = { by: sort ?? "createdAt", descending: sort === undefined || read("order") === "desc" };
  const filter = { ...of.query, ...values };
  const ordered = { ...filter, ...(sort && { sort, order: order.descending ? "desc" : "asc" }) };
  const key = JSON.stringify(ordered);
  const [place, goTo] = useEntryState<Place>(`place in ${of.what}`);
  const cursors = place?.of === key ? place.cursors : [];
  const { data, ...page } = useQuery({
    ...queryOf(endpoint, { query: { ...ordered, limit, after: cursors.at(-1) } }),
    staleTime,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      rowsOf(state.data)?.some((row) => of.isChanging?.(row)) ? pollMilliseconds : false,
  });
  const rows = rowsOf(data);
  const goBack = () => goTo({ of: key, cursors: cursors.slice(0, -1) });
  // Only the first page has the total.
  const first: Call<Count | (Page<Row> & More) | Row[]> = count ?? endpoint;
  const counting = useQuery({ ...queryOf(first, { query: count ? filter : { ...ordered, limit } }), staleTime });
  const counted = counting.data;
  const summary = !counted || Array.isArray(counted) ? null : counted;
  const isEmptied = !page.isPlaceholderData && rows?.length === 0;
  // Somebody deleted the last row of the page before, or all rows of this page.
  if (cursors.length > 0 && (isEmptied || isMissing(page.error))) goBack();
  return {
    of,
    fields,
    values,
    order,
    page,
    rows,
    total: summary?.total ?? null,
    /** The reply of the first page. For lists that are counted by another call, only the total. */
    first: summary as (Page<Row> & More) | null,
    isFirstPending: counting.isPending,
    limit,
    offset: cursors.length * limit,
    onPrevious: cursors.length > 0 ? goBack : null,
    onNext({ id }: Row): void {
      // The rows on screen may be those of the page before.
      if (!page.isPlaceholderData) goTo({ of: key, cursors: [...cursors, id] });
    },
    /** Changes the filter or the order, and shows the first page. `replace` adds no history entry. */
    refine(changes: Readonly<Record<string, string | null>>, replace = false): void {
      write(changes, { replace });
      goTo(null);
    },
  };
}

function rowsOf<Row>(reply: Page<Row> | Row[] | undefined): readonly Row[] | undefined {
  return Array.isArray(reply) ? reply : reply?.rows;
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function valueIn(field: FilterField<string>, text: string): string | undefined {
  if ("options" in field) return Object.hasOwn(field.options, text) ? text : undefined;
  if ("day" in field) return /^\d{4}-\d{2}-\d{2}$/.exec(text)?.[0];
  return text || undefined;
}

interface ListProps<Row extends { id: string }, Values extends object> {
  list: ShownList<Row, Values>;
}

/** The fields of a list's filter, with what else belongs beside them. */
export function ListFilters<Row extends { id: string }, Values extends object>({
  list: { of, fields, values, refine },
  children,
}: ListProps<Row, Values> & { children?: ReactNode }) {
  return (
    <FilterBar label={of.label}>
      {fields.map(([name, field]) => (
        <FilterControl
          key={name}
          field={field}
          value={values[name] ?? ""}
          onChange={(value) => refine({ [name]: value }, "search" in field)}
        />
      ))}
      {children}
    </FilterBar>
  );
}

interface FilterControlProps {
  field: FilterField<string>;
  value: string;
  onChange: (value: string) => void;
}

function FilterControl({ field, value, onChange }: FilterControlProps) {
  if ("search" in field) return <SearchBox label={field.search} value={value} onChange={onChange} />;
  if ("day" in field) {
    return (
      <Field label={field.day} className="max-sm:grow max-sm:basis-36">
        <Input type="date" value={value} onChange={({ target }) => onChange(target.value)} />
      </Field>
    );
  }
  const options = [["", field.any], ...Object.entries(field.options)] as const;
  return <Filter label={field.label} value={value} options={options} onChange={onChange} />;
}

interface ListRowsProps<Row extends { id: string }, Values extends object> extends ListProps<Row, Values> {
  /** Shown when there is no row. Defaults to a sentence. */
  empty?: ReactNode;
  children: (rows: readonly Row[], isStale: boolean) => ReactNode;
}

/** The rows of a list with a pager, or why there are none: it is loading, is empty or has failed to load. */
export function ListRows<Row extends { id: string }, Values extends object>({
  list: { of, rows, page, total, limit, offset, onPrevious, onNext },
  empty,
  children,
}: ListRowsProps<Row, Values>) {
  const failed = <PartFailed what={`the ${of.what}`} retry={page.refetch} />;
  if (!rows) return page.isPending ? <PartLoading what={of.what} /> : failed;
  const last = rows.at(-1);
  if (!last && offset === 0)
    return <div className="border-line border-y py-12 text-center">{empty ?? `No ${of.what} found`}</div>;
  const hasMore = total === null ? rows.length === limit : offset + rows.length < total;
  return (
    <>
      {page.isError && failed}
      {children(rows, page.isPlaceholderData)}
      <Pager
        what={of.what}
        offset={offset}
        shown={rows.length}
        total={total}
        onPrevious={onPrevious}
        onNext={last && hasMore ? () => onNext(last) : null}
      />
    </>
  );
}

interface ListTableProps<Row extends { id: string }, Values extends object> extends ListProps<Row, Values> {
  selection?: RowSelection<Row> | undefined;
  /** Two or three lines for each row in narrow layouts. */
  isBrief?: boolean;
  empty?: ReactNode;
}

export function ListTable<Row extends { id: string }, Values extends object>({
  list,
  selection,
  isBrief,
  empty,
}: ListTableProps<Row, Values>) {
  const { of, order, refine } = list;
  const { columns = [], label } = of;
  const isSortable = columns.some(({ sort }) => sort);
  return (
    <ListRows list={list} empty={empty}>
      {(rows, isStale) => (
        <Table
          caption={label}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          order={isSortable ? order : null}
          onOrder={
            isSortable ? ({ by, descending }) => refine({ sort: by, order: descending ? "desc" : "asc" }) : undefined
          }
          selection={selection}
          isBrief={isBrief}
          isStale={isStale}
        />
      )}
    </ListRows>
  );
}
