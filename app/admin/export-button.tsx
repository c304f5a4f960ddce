import { saveFile } from "#app/api/api.ts";
import { useMay } from "#app/identity/may.tsx";
import { type ExportedList, type ExportFormat, exportUrl } from "#contract/admin/admin.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { Icon } from "#ui/icon.tsx";
import { useAct } from "./act.ts";

interface ExportProps {
  list: ExportedList;
  /** The selection or the query of the list, as `exportUrl` describes it. */
  body?: object;
  /** What the file holds, where a page has several. */
  of?: string;
  size?: "small";
}

/** Downloads a list in the format that the user picks. Renders nothing for users who may not export. */
export function ExportButton({ list, body = {}, of, size }: ExportProps) {
  const mayExport = useMay("people:export");
  const save = useAct((format: ExportFormat) => saveFile(exportUrl(list, format), body), {
    done: "Download Started",
    failed: "Download Failed",
  });
  if (!mayExport) return null;
  const trigger = (
    <Button variant="outline" {...(size && { size })} pending={save.isPending}>
      Export{of && <span className="sr-only"> {of}</span>}
      <Icon name="down" className="w-3" />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem disabled={save.isPending} onSelect={() => save.mutate("csv")}>
        CSV
      </MenuItem>
      <MenuItem disabled={save.isPending} onSelect={() => save.mutate("xlsx")}>
        Excel (XLSX)
      </MenuItem>
    </Menu>
  );
}
