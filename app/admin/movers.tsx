import { IconButton } from "#app/editing/entries.tsx";

interface MoversProps {
  /** The siblings in order. The one at index `at` moves. */
  items: readonly { id: string }[];
  at: number;
  title: string;
  isMoving: boolean;
  /** Puts an item right before another one. */
  onMove: (move: { id: string; before: string }) => void;
}

/** The buttons that move an item up and down. */
export function Movers({ items, at, title, isMoving, onMove }: MoversProps) {
  /** Moves the item at `from` before its predecessor. */
  const mover = (way: "up" | "down", from: number) => (
    <IconButton
      label={`Move ${title} ${way}`}
      name={way}
      isOff={!items[from] || !items[from - 1] || isMoving}
      onPress={() => {
        const [before, item] = [items[from - 1], items[from]];
        if (before && item) onMove({ id: item.id, before: before.id });
      }}
    />
  );
  return (
    <span className="flex shrink-0">
      {mover("up", at)}
      {mover("down", at + 1)}
    </span>
  );
}
