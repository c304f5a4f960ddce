import { useResumable } from "#app/editing/resumable.ts";
import type { ClaimList } from "#contract/admin/claims.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useRestore } from "./claim-actions.ts";
import { WithdrawDialog } from "./claim-dialogs.tsx";

interface RiskProps {
  data: ClaimList;
  /** The ids of the claims that were removed last. */
  moved: readonly string[];
  onMoved: (moved: readonly string[]) => void;
}

/** Removes all claims without proof from the pages, and undoes it. */
export function Risk({ data, moved, onMoved }: RiskProps) {
  const [isAsking, setIsAsking] = useResumable("withdraw claims", false);
  const restore = useRestore(() => onMoved([]));
  const unproved = data.claims.filter((claim) => claim.state === "unproved" && claim.withdrawnAt === null);
  const undoable = moved.filter((id) => data.claims.some((claim) => claim.id === id && claim.withdrawnAt !== null));
  return (
    <Card tone="kraft">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p role="status" className="max-w-prose">
          {undoable.length > 0 && <strong>{formatCountOf(undoable.length, "claim")} removed. </strong>}
          {unproved.length > 0
            ? unproved.length === 1
              ? "1 claim on the pages has no proof yet. Add proof or remove it."
              : `${unproved.length} claims on the pages have no proof yet. Add proof or remove them.`
            : "Every claim that needs proof has it."}
        </p>
        <div className="flex flex-wrap gap-3">
          {undoable.length > 0 && (
            <Button variant="outline" pending={restore.isPending} onClick={() => restore.mutate(undoable)}>
              Undo: restore {undoable.length === 1 ? "it" : "them"}
            </Button>
          )}
          {unproved.length > 0 && (
            <Button variant="outline" onClick={() => setIsAsking(true)}>
              Remove all without proof
            </Button>
          )}
        </div>
      </div>
      {isAsking && <WithdrawDialog claims={unproved} onMoved={onMoved} onClose={() => setIsAsking(false)} />}
    </Card>
  );
}
