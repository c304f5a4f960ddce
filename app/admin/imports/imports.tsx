import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import {
  type CheckedImport,
  checkImport,
  getImport,
  type Import,
  type ImportMapping,
  importLimit,
  listImports,
} from "#contract/admin/imports.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { DropZone } from "../drop-zone.tsx";
import { firstPageOf, ListTable, useAdminList } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { RowTitle } from "../row-title.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { ImportResult } from "./import-result.tsx";
import { stateOf } from "./import-words.ts";

/** A dry run with its file, so that it can be made again with other columns. */
interface Checked {
  readonly file: File;
  readonly result: CheckedImport;
  /** The dry run before it, which the URL names until it follows. */
  readonly replacedId: string;
}

/** Imports students from another program. The URL names the open import. */
export default function ImportsPage() {
  const { read, write } = useAddress();
  const [checked, setChecked] = useState<Checked | null>(null);
  const queryClient = useQueryClient();
  const open = read("open");
  const check = useMutation({
    // One after the other, when a second column is changed while the file is checked.
    scope: { id: "check-import" },
    mutationFn: ({ file, mapping }: { file: File; mapping?: ImportMapping }) => {
      const form = new FormData();
      if (mapping) form.set("mapping", JSON.stringify(mapping));
      form.set("file", file);
      return api(checkImport, { form });
    },
    onSuccess(result, { file }) {
      setChecked({ file, result, replacedId: open });
      queryClient.setQueryData(queryOf(getImport, { params: { id: result.id } }).queryKey, result);
      write({ open: result.id }, { replace: open !== "" });
    },
  });
  const fault = check.isError ? messageOf(check.error, "We couldn’t read this file. Please try again.") : undefined;
  const own = checked && [checked.result.id, checked.replacedId].includes(open) ? checked : null;
  return (
    <AdminPage
      title="Import students"
      description="Students from another program, for administrators."
      lead="Upload a list of students and their plans."
      actions={
        open && (
          <Button variant="outline" onClick={() => write({ open: null })}>
            All imports
          </Button>
        )
      }
    >
      {open ? (
        <div className="grid gap-6">
          {own && (
            <ImportColumns
              key={own.file.name}
              checked={own.result}
              mapping={(check.isPending && check.variables.mapping) || own.result.mapping}
              isChecking={check.isPending}
              fault={fault}
              onChange={(mapping) => check.mutate({ file: own.file, mapping })}
            />
          )}
          {(!own || own.result.mapping.email !== undefined) && (
            <ImportResult
              key={open}
              id={open}
              isChecking={check.isPending}
              onStarted={() => setChecked(null)}
              onDeleted={() => write({ open: null })}
            />
          )}
        </div>
      ) : (
        <div className="grid gap-6">
          <Upload isSending={check.isPending} fault={fault} onFile={(file) => check.mutate({ file })} />
          <List />
        </div>
      )}
    </AdminPage>
  );
}

ImportsPage.queries = () => [firstPageOf(listImports)];

interface UploadProps {
  isSending: boolean;
  fault: string | undefined;
  onFile: (file: File) => void;
}

function Upload({ isSending, fault, onFile }: UploadProps) {
  const [pasted, setPasted] = useState("");
  const [sizeFault, setSizeFault] = useState<string>();
  function choose([file]: readonly File[]): void {
    const isTooLarge = file !== undefined && file.size > importLimit;
    setSizeFault(isTooLarge ? "This file is larger than 20 MB. Split it into several files." : undefined);
    if (file && !isTooLarge && !isSending) onFile(file);
  }
  return (
    <Panel title="New import">
      <div className="grid gap-4">
        <DropZone
          label="List of students"
          invitation={isSending ? "Reading the list…" : "Drop a file here, or choose it."}
          choose="Choose a file"
          hint="CSV or XLSX, up to 10,000 rows and 20 MB. We recognize exports of Teachable, Thinkific, Kajabi and Ghost."
          accept=".csv,.tsv,.txt,.xlsx"
          fault={sizeFault ?? fault}
          onFiles={choose}
        />
        <details>
          <summary className="min-h-11 cursor-pointer content-center font-semibold text-sm">
            Paste a list instead
          </summary>
          <div className="grid justify-items-start gap-3 pt-2">
            <Field
              label="Rows"
              hint="Copy them from a spreadsheet, with the column names in the first row."
              className="w-full"
            >
              <Textarea rows={6} value={pasted} onChange={({ target }) => setPasted(target.value)} spellCheck={false} />
            </Field>
            <Button
              variant="outline"
              pending={isSending}
              disabled={pasted.trim() === ""}
              onClick={() => choose([new File([pasted], "pasted list.csv")])}
            >
              Check rows
            </Button>
          </div>
        </details>
      </div>
    </Panel>
  );
}

const columns: readonly Column<Import>[] = [
  {
    key: "file",
    label: "File",
    wide: true,
    cell: ({ id, fileName, author }) => (
      <RowTitle to={`?open=${id}`} title={fileName}>
        {author}
      </RowTitle>
    ),
  },
  { key: "done", label: "Students", cell: ({ done }) => `${formatCount(done)} imported` },
  { key: "sent", label: "Emails sent", isDetail: true, cell: ({ invitations }) => formatCount(invitations.sent) },
  {
    key: "state",
    label: "State",
    cell: (row) => <Badge tone={stateOf(row).tone}>{stateOf(row).words}</Badge>,
  },
  { key: "date", label: "Date", cell: ({ createdAt }) => formatTimestamp(createdAt) },
];

function List() {
  const list = useAdminList<Import, object>({
    endpoint: listImports,
    label: "Imports",
    what: "imports",
    isChanging: ({ state, invitations }) => state === "running" || invitations.state === "sending",
    columns,
  });
  return <ListTable isBrief list={list} empty="No imports yet" />;
}
