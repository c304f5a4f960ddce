import type { z } from "zod";
import { type AuditEntry, type AuditFilter, listAudit } from "#contract/admin/audit.ts";
import { Button } from "#ui/controls/button.tsx";
import { AdminPage } from "../admin-page.tsx";
import { ExportButton } from "../export-button.tsx";
import { ListFilters, ListRows, useAdminList } from "../list.tsx";
import { AuditEntries } from "./audit-entries.tsx";

export default function AuditPage() {
  return (
    <AdminPage
      title="Audit log"
      description="What administrators did, to whom and why."
      lead="Who did what, newest first. Nobody can change or delete an entry."
    >
      <Log />
    </AdminPage>
  );
}

function Log() {
  const list = useAdminList<AuditEntry, z.input<typeof AuditFilter>>({
    endpoint: listAudit,
    label: "Audit log",
    what: "entries",
    fields: {
      action: { search: "Action, such as hold" },
      actor: { search: "Done by" },
      subject: { search: "Person or item" },
      from: { day: "From" },
      to: { day: "To" },
    },
  });
  const { values, refine } = list;
  return (
    <>
      <ListFilters list={list}>
        {Object.values(values).some(Boolean) && (
          <Button
            variant="quiet"
            onClick={() => refine({ action: null, subject: null, actor: null, from: null, to: null })}
          >
            Clear
          </Button>
        )}
        <ExportButton list="audit" body={values} />
      </ListFilters>
      <ListRows list={list}>
        {(entries, isStale) => (
          <div aria-busy={isStale} className={isStale ? "opacity-60" : undefined}>
            <AuditEntries entries={entries} />
          </div>
        )}
      </ListRows>
    </>
  );
}
