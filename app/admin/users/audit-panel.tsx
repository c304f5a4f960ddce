import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { AuditEntries } from "../audit/audit-entries.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";

const shown = 20;

/** What administrators did to this user. */
export function AuditPanel({ userId }: { userId: string }) {
  const { data, instead } = useLoaded(queryOf(listAudit, { query: { subject: userId, limit: shown } }), "audit");
  return (
    <Panel
      title="Audit"
      aside={
        <Link to={`/admin/audit?subject=${userId}`} className="text-sm underline underline-offset-4">
          View in the audit log
        </Link>
      }
    >
      {!data ? (
        instead
      ) : data.rows.length === 0 ? (
        <Nothing>No actions by administrators.</Nothing>
      ) : (
        <AuditEntries entries={data.rows} />
      )}
    </Panel>
  );
}
