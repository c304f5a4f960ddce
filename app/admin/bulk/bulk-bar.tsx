import { useNavigate } from "react-router";
import { api } from "#app/api/api.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { type BulkAction, type BulkKind, selectAudience, type UserSelection } from "#contract/admin/bulk-actions.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useAct } from "../act.ts";
import { ExportButton } from "../export-button.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";

interface BulkButtonsProps {
  selection: UserSelection;
  onStarted: (action: BulkAction) => void;
}

/** The actions for the selected users. */
export function BulkButtons({ selection, onStarted }: BulkButtonsProps) {
  const [asked, setAsked] = useResumable<BulkKind | null>("bulk asked", null);
  const navigate = useNavigate();
  const write = useAct(
    () => api(selectAudience, { body: { selection } }),
    { done: "Audience chosen", failed: "Failed to choose the audience" },
    ({ audience }) => navigate(`/admin/announcements?open=new&to=${audience}`),
  );
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setAsked("grant")}>
        Give a plan
      </Button>
      <Button variant="outline" size="small" pending={write.isPending} onClick={() => write.mutate()}>
        Write
      </Button>
      <ExportButton list="users" body={selection} of="the selection" size="small" />
      <Menu label="More actions for the selected users">
        <MenuItem onSelect={() => setAsked("hold")}>Hold accounts</MenuItem>
        <MenuItem onSelect={() => setAsked("suspend")}>Suspend accounts</MenuItem>
        <MenuItem onSelect={() => setAsked("reactivate")}>Reactivate accounts</MenuItem>
      </Menu>
      {asked && (
        <BulkDialog
          key={asked}
          kind={asked}
          selection={selection}
          onClose={() => setAsked(null)}
          onStarted={(action) => {
            setAsked(null);
            onStarted(action);
          }}
        />
      )}
    </>
  );
}
