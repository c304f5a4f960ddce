interface KeptStateProps {
  isChanged: boolean;
  /** Shown when nothing is unsaved. Phones have no space for it. */
  otherwise?: string;
}

/** Says whether there are unsaved changes. */
export function KeptState({ isChanged, otherwise }: KeptStateProps) {
  return (
    <p role="status" className="min-h-6 text-ink-soft text-sm">
      {isChanged ? (
        <>
          Not saved yet.<span className="max-sm:sr-only"> Your changes are kept in this browser.</span>
        </>
      ) : (
        <span className="max-sm:sr-only">{otherwise}</span>
      )}
    </p>
  );
}
