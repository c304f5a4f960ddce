import { PageSteps } from "#ui/table.tsx";

export const rowsPerPage = 50;

interface RowStepsProps {
  rows: readonly { readonly id: string }[];
  /** Behind which row each page up to this one begins. */
  cursors: readonly string[];
  onChange: (cursors: readonly string[]) => void;
}

/** Buttons to the pages of a batch's rows, if there are several. */
export function RowSteps({ rows, cursors, onChange }: RowStepsProps) {
  const last = rows.length === rowsPerPage ? rows.at(-1)?.id : undefined;
  if (cursors.length === 0 && !last) return null;
  return (
    <div className="mt-3">
      <PageSteps
        onPrevious={cursors.length > 0 ? () => onChange(cursors.slice(0, -1)) : null}
        onNext={last ? () => onChange([...cursors, last]) : null}
      />
    </div>
  );
}
