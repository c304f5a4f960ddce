import { saveFile } from "#app/api/api.ts";
import { useMay } from "#app/identity/may.tsx";
import { type ExportedList, exportUrl } from "#contract/admin/admin.ts";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "./act.ts";

interface ExportProps {
  list: ExportedList;
  /** The selection or the query of the list, as `exportUrl` describes it. */
  body?: object;
  /** What the file holds, where a page has several. */
  of?: string;
  size?: "small";
}

/** Downloads a list as CSV. Renders nothing for users who may not export. */
export function ExportButton({ list, body = {}, of, size }: ExportProps) {
  const mayExport = useMay("people:export");
  const save = useAct(() => saveFile(exportUrl(list), body), { done: "Download Started", failed: "Download Failed" });
  if (!mayExport) return null;
  return (
    <Button variant="outline" {...(size && { size })} pending={save.isPending} onClick={() => save.mutate()}>
      CSV{of && <span className="sr-only"> of {of}</span>}
    </Button>
  );
}
