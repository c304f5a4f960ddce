import { type RefObject, useEffect, useState } from "react";
import { Button } from "./button.tsx";

interface OpenAllProps {
  /** Contains the folds, and not this button. */
  list: RefObject<HTMLElement | null>;
  /** How many folds the list has. */
  count: number;
  /** Names the list for screen readers. */
  label: string;
  className?: string;
}

/** Opens or closes all folds of a list that has more than three. */
export function OpenAll({ list, count, label, className }: OpenAllProps) {
  const [areOpen, setAreOpen] = useState(false);
  // Not those within another fold.
  const folds = () =>
    [...(list.current?.querySelectorAll("details") ?? [])].filter((fold) => {
      const outer = fold.parentElement?.closest("details");
      return !outer || !list.current?.contains(outer);
    });
  useEffect(() => {
    const look = () => setAreOpen(count > 0 && folds().every(({ open }) => open));
    look();
    const element = list.current;
    // In the capture phase, because this event does not bubble.
    element?.addEventListener("toggle", look, true);
    return () => element?.removeEventListener("toggle", look, true);
  });
  if (count <= 3) return null;
  return (
    <Button
      variant="quiet"
      size="small"
      className={className}
      onClick={() => {
        for (const fold of folds()) fold.open = !areOpen;
      }}
    >
      <span>
        {areOpen ? "Close all" : "Open all"}
        <span className="sr-only"> in {label}</span>
      </span>
    </Button>
  );
}
