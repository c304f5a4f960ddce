import type { ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { KeptState } from "./kept-state.tsx";
import type { FormOf } from "./use-form-of.ts";

interface SaveBarProps {
  form: Pick<FormOf<object>, "isChanged" | "isSending" | "discard">;
  /** The label of the button that saves. */
  save: string;
  /** Shown when nothing is unsaved. */
  otherwise: string;
  /** Focuses the button that saves. */
  hasFocus?: boolean;
  /** Further buttons. */
  children?: ReactNode;
}

const focus = (button: HTMLElement | null) => button?.focus({ preventScroll: true });

/** The buttons at the end of a long form. They stay in view at the bottom of the window, unless it is too low. */
export function SaveBar({
  form: { isChanged, isSending, discard },
  save,
  otherwise,
  hasFocus,
  children,
}: SaveBarProps) {
  return (
    <div className="action-bar z-20 flex flex-wrap items-center gap-x-3 gap-y-1 border-line-strong border-t bg-canvas py-3 sm:gap-x-4">
      <Button ref={hasFocus ? focus : undefined} type="submit" pending={isSending} idle={!isChanged}>
        {save}
      </Button>
      {children}
      <Button variant="outline" idle={!isChanged || isSending} onClick={discard}>
        <span>
          Discard<span className="max-sm:sr-only"> changes</span>
        </span>
      </Button>
      <KeptState isChanged={isChanged} otherwise={otherwise} />
    </div>
  );
}
