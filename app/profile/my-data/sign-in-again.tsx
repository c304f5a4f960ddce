import { href } from "#contract/addresses.ts";
import { loginAgainUrl } from "#contract/identity/identity.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";

interface SignInAgainProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What the person wanted, as in "before you …". */
  purpose: string;
}

/** The step before what a borrowed browser must not be enough for; the person comes back to where they were. */
export function SignInAgain({ open, onOpenChange, purpose }: SignInAgainProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Sign in again first"
      description={`Before you ${purpose} we want to be sure that it is you. Sign in once more, then you are back here and have ten minutes.`}
    >
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={() => onOpenChange(false)}>
          Not now
        </Button>
        <a href={loginAgainUrl(href.myData())} className={buttonStyle()}>
          Sign in again
        </a>
      </div>
    </Dialog>
  );
}
