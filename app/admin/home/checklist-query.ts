import { queryOf } from "#app/api/query.ts";
import { getChecklist } from "#contract/admin/checklist.ts";

/** Asks the gateway and the DNS, so the home page doesn't repeat it each time. */
export const checklistQuery = { ...queryOf(getChecklist), staleTime: 300_000 };
