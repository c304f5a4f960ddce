import { type ExportedList, exportUrl } from "#contract/admin/admin.ts";
import type { Visitor } from "./visitor.ts";

/** Asks for a list as a file; without a choice, for all its rows. */
export function exportList(visitor: Visitor, list: ExportedList, choice?: object): Promise<Response> {
  const all = ["users", "purchases", "contacts"].includes(list) ? { filter: {} } : {};
  return visitor.send("POST", exportUrl(list), JSON.stringify(choice ?? all));
}
