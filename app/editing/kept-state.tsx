interface KeptStateProps {
  isChanged: boolean;
  /** What is said when nothing waits. */
  otherwise?: string;
}

/** Whether something typed waits to be saved. */
export function KeptState({ isChanged, otherwise }: KeptStateProps) {
  return (
    <p role="status" className="min-h-6 text-ink-soft text-sm">
      {isChanged ? "Not saved yet; kept in this browser." : otherwise}
    </p>
  );
}
