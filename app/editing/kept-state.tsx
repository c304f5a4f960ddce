interface KeptStateProps {
  isChanged: boolean;
  /** Shown when nothing is unsaved. */
  otherwise?: string;
}

/** Says whether there are unsaved changes. */
export function KeptState({ isChanged, otherwise }: KeptStateProps) {
  return (
    <p role="status" className="min-h-6 text-ink-soft text-sm">
      {isChanged ? "Not saved yet. Your changes are kept in this browser." : otherwise}
    </p>
  );
}
