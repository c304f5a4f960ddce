import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { AuditEntries } from "../audit/audit-entries.tsx";
import { Nothing, Panel } from "../panel.tsx";

const shown = 20;

/** What administrators did to this user. */
export function AuditPanel({ userId }: { userId: string }) {
  const { data, isPending, refetch } = useQuery(queryOf(listAudit, { query: { subject: userId, limit: shown } }));
  return (
    <Panel
      title="Audit"
      aside={
        <Link to={`/admin/audit?subject=${userId}`} className="text-sm underline underline-offset-4">
          In the audit log
        </Link>
      }
    >
      {isPending ? (
        <PartLoading what="audit" />
      ) : !data ? (
        <PartFailed what="the audit" retry={refetch} />
      ) : data.rows.length === 0 ? (
        <Nothing>No administrator did anything to this user.</Nothing>
      ) : (
        <AuditEntries entries={data.rows} />
      )}
    </Panel>
  );
}
