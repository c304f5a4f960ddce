import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { z } from "zod";
import { queryOf } from "#app/api/query.ts";
import type { Count, Page } from "#contract/admin/admin.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { type Column, Pager, type RowSelection, Table } from "#ui/table.tsx";
import { useAddress } from "./address.ts";
import { Filter, FilterBar, SearchBox } from "./filters.tsx";

/** The server's default. */
const pageSize = 50;

type Call<Reply> = Endpoint<z.ZodUndefined, z.ZodType, z.ZodUndefined, z.ZodType<Reply>>;

interface AdminList<Row, Values> {
  endpoint: Call<Page<Row> | Row[]>;
  /** Counts the rows of a list whose reply is an array. */
  count?: Call<Count>;
  label: string;
  /** What the rows are, such as "users". */
  what: string;
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

/** The first page of a list without a filter, to be loaded in advance. */
export function firstPageOf<Row>(endpoint: Call<Page<Row> | Row[]>) {
  return queryOf(endpoint, { query: { limit: pageSize } });
}

/**
 * A page of a list. Its filter, order and place are in the URL: `cursors` holds the last row's id of each page before it.
 * @param Values the query of the endpoint without order and place
 */
export function useAdminList<Row extends { id: string }, Values extends object>(of: AdminList<Row, Values>) {
  const { endpoint, count, columns = [] } = of;
  const { read, write } = useAddress();
  const fields = Object.entries((of.fields ?? {}) as Record<string, FilterField<string>>);
  const values = Object.fromEntries(fields.map(([name, field]) => [name, valueIn(field, read(name))])) as Values &
    Record<string, string | undefined>;
  const sort = columns.find((column) => column.sort && column.sort === read("sort"))?.sort;
  const order = { by: sort ?? "createdAt", descending: sort === undefined || read("order") === "desc" };
  const cursors = read("cursors").split(".").filter(Boolean);
  const pageAfter = (after: string | undefined) => {
    const sorted = sort && { sort, order: order.descending ? "desc" : "asc" };
    return { query: { ...values, ...sorted, limit: pageSize, after } };
  };
  const { data, ...page } = useQuery({
    ...queryOf(endpoint, pageAfter(cursors.at(-1))),
    placeholderData: keepPreviousData,
  });
  // Only the first page has the total.
  const first: Call<Count | Page<Row> | Row[]> = count ?? endpoint;
  const counted = useQuery(queryOf(first, count ? { query: values } : pageAfter(undefined))).data;
  return {
    of,
    fields,
    values,
    order,
    page,
    rows: Array.isArray(data) ? data : data?.rows,
    total: !counted || Array.isArray(counted) ? null : counted.total,
    offset: cursors.length * pageSize,
    onPrevious: cursors.length > 0 ? () => write({ cursors: cursors.slice(0, -1).join(".") }) : null,
    onNext: ({ id }: Row) => write({ cursors: [...cursors, id].join(".") }),
    /** Changes the filter or the order, and returns to the first page. `replace` adds no history entry. */
    refine: (changes: Readonly<Record<string, string | null>>, replace = false) =>
      write({ ...changes, cursors: null }, { replace }),
  };
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
  list: { of, rows, page, total, offset, onPrevious, onNext },
  empty,
  children,
}: ListRowsProps<Row, Values>) {
  const failed = <PartFailed what={`the ${of.what}`} retry={page.refetch} />;
  if (!rows) return page.isPending ? <PartLoading what={of.what} /> : failed;
  const last = rows.at(-1);
  if (!last && offset === 0)
    return <div className="border-line border-y py-12 text-center">{empty ?? `No ${of.what} found`}</div>;
  const hasMore = total === null ? rows.length === pageSize : offset + rows.length < total;
  return (
    <>
      {page.isError && failed}
      {children(rows, page.isPlaceholderData)}
      <Pager
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
  empty?: ReactNode;
}

export function ListTable<Row extends { id: string }, Values extends object>({
  list,
  selection,
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
          isStale={isStale}
        />
      )}
    </ListRows>
  );
}
