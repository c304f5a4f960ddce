import { ConfirmDialog } from "../confirm-dialog.tsx";

interface CancelDialogProps {
  fileName: string;
  description: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before what was uploaded of a file is deleted. */
export function CancelDialog({ fileName, ...dialog }: CancelDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={`Cancel the upload of ${fileName}?`}
      confirm="Cancel upload"
      isDangerous
      words={{ done: "Upload cancelled", failed: "Couldn’t cancel the upload" }}
    />
  );
}
