import { Button } from "#ui/controls/button.tsx";
import { ChangeList } from "./change-list.tsx";

interface LeftOverProps {
  /** What became of it, and what to do with what was typed. */
  why: string;
  /** As it was saved last; null when it is gone. */
  before: object | null;
  /** What was typed. */
  after: object;
  onDiscard: () => void;
}

/** What somebody was still typing when it could be saved no more; it stays in this browser until it is discarded. */
export function LeftOver({ why, before, after, onDiscard }: LeftOverProps) {
  return (
    <section
      aria-label="Not saved"
      className="grid gap-3 rounded-sm border-2 border-danger bg-danger-soft p-4 text-left text-sm"
    >
      <p className="font-semibold">{why}</p>
      <ChangeList before={before} after={after} />
      <Button variant="outline" size="small" onClick={onDiscard} className="justify-self-start">
        Discard
      </Button>
    </section>
  );
}
