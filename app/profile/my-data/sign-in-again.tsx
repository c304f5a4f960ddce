import { href } from "#contract/addresses.ts";
import { loginAgainUrl } from "#contract/identity/identity.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";

interface SignInAgainProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Completes "before you …". */
  purpose: string;
}

/**
 * Requires a recent sign-in before an action that somebody else at this browser must not take. The sign-in leads back
 * here.
 */
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
