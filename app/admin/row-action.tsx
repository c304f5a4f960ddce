import { cx } from "class-variance-authority";
import { Button } from "#ui/controls/button.tsx";

interface RowActionProps {
  label: string;
  /** Completes the label for screen readers, which read one button among fifty: "of Ada Shelf". */
  of: string;
  /** Shown on hover. */
  hint?: string;
  isDangerous?: boolean;
  className?: string;
  onPress: () => void;
}

/** A button for an action on a row of a list. */
export function RowAction({ label, of, hint, isDangerous, className = "px-2!", onPress }: RowActionProps) {
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={`${label} ${of}`}
      title={hint}
      className={cx(className, isDangerous && "text-danger!")}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
