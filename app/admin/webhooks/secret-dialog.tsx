import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { CopyButton } from "./copy-button.tsx";

interface SecretDialogProps {
  title: string;
  description: string;
  secret: string;
  onClose: () => void;
}

/** A secret that is shown this once, so only its button closes it. */
export function SecretDialog({ title, description, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog open title={title} description={description} onOpenChange={() => {}}>
      <div className="grid gap-5">
        <code className="block select-all rounded-sm border border-line bg-canvas p-3 text-sm wrap-anywhere">
          {secret}
        </code>
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CopyButton text={secret}>Copy</CopyButton>
          <Button onClick={onClose}>I’ve copied it</Button>
        </div>
      </div>
    </Dialog>
  );
}
