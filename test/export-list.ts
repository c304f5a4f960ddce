import {
  type ExportedList,
  type ExportFormat,
  exportedLists,
  exportFormats,
  exportUrl,
} from "#contract/admin/admin.ts";
import type { Visitor } from "./visitor.ts";

/** Asks for a list as a file; without a choice, for all its rows. */
export function exportList(
  visitor: Visitor,
  list: ExportedList,
  choice?: object,
  format: ExportFormat = "csv",
): Promise<Response> {
  const all = ["users", "purchases", "contacts"].includes(list) ? { filter: {} } : {};
  return visitor.send("POST", exportUrl(list, format), JSON.stringify(choice ?? all));
}

/** Every list in every format. */
export function exportAll(visitor: Visitor): Promise<Response[]> {
  return Promise.all(
    exportedLists.flatMap((list) => exportFormats.map((format) => exportList(visitor, list, undefined, format))),
  );
}
