import { useQuery } from "@tanstack/react-query";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { auditCountQuery, auditQuery } from "../admin-queries.ts";
import { ExportButton } from "../export-button.tsx";
import { SearchBox } from "../filters.tsx";
import { PagedList, pageOf } from "../paging.tsx";
import { AuditEntries } from "./audit-entries.tsx";

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

export default function AuditPage() {
  return (
    <AdminPage
      title="Audit log"
      description="What administrators did, to whom and why."
      lead="Who did what to whom, newest first. Entries are added and never changed."
    >
      <Log />
    </AdminPage>
  );
}

function Log() {
  const address = useAddress();
  const { read } = address;
  const day = (name: string) => (isoDay.test(read(name)) ? read(name) : undefined);
  const filter = {
    action: read("action") || undefined,
    subject: read("subject") || undefined,
    actor: read("actor") || undefined,
    from: day("from"),
    to: day("to"),
  };
  const page = pageOf(address);
  const list = useQuery(auditQuery({ ...filter, ...page.query }));
  const count = useQuery(auditCountQuery(filter));
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <>
      <search aria-label="Audit log" className="flex flex-wrap items-end gap-3 pb-4">
        <SearchBox
          label="Action, such as hold"
          value={read("action")}
          onChange={(action) => page.refine({ action }, true)}
        />
        <SearchBox label="Who did it" value={read("actor")} onChange={(actor) => page.refine({ actor }, true)} />
        <SearchBox
          label="To whom or what"
          value={read("subject")}
          onChange={(subject) => page.refine({ subject }, true)}
        />
        <Field label="From" className="max-sm:grow max-sm:basis-36">
          <Input type="date" value={filter.from ?? ""} onChange={({ target }) => page.refine({ from: target.value })} />
        </Field>
        <Field label="To" className="max-sm:grow max-sm:basis-36">
          <Input type="date" value={filter.to ?? ""} onChange={({ target }) => page.refine({ to: target.value })} />
        </Field>
        {isFiltered && (
          <Button
            variant="quiet"
            onClick={() => page.refine({ action: null, subject: null, actor: null, from: null, to: null })}
          >
            Clear
          </Button>
        )}
        <ExportButton list="audit" body={filter} />
      </search>
      <PagedList list={list} count={count} page={page} what="entries">
        {(entries, isStale) => (
          <div aria-busy={isStale} className={isStale ? "opacity-60" : undefined}>
            <AuditEntries entries={entries} />
          </div>
        )}
      </PagedList>
    </>
  );
}
