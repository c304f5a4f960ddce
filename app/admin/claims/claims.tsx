import { useState } from "react";
import { queryOf } from "#app/api/query.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { type Claim, type ClaimList, listClaims } from "#contract/admin/claims.ts";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { Figures } from "../figures.tsx";
import { Filter } from "../filters.tsx";
import { useLoaded } from "../loaded.tsx";
import { useRestore } from "./claim-actions.ts";
import { ClaimCard } from "./claim-card.tsx";
import { WithdrawDialog } from "./claim-dialogs.tsx";

export default function ClaimsPage() {
  return (
    <AdminPage
      title="Claims"
      description="What the public pages claim, and the proof of it, for administrators."
      lead="Everything that the pages state about people, prices and results. Add proof to each, or remove it."
    >
      <Claims />
    </AdminPage>
  );
}

ClaimsPage.queries = () => [queryOf(listClaims)];

const shows = ["unproved", "proved", "exempt", "true", "off"] as const;
const showWords: Readonly<Record<(typeof shows)[number], string>> = {
  unproved: "No proof yet",
  proved: "Proof added",
  exempt: "Needs no proof",
  true: "Proved by your data",
  off: "Removed",
};

const counted = shows.filter((one) => one !== "exempt");

function Claims() {
  const { read, write } = useAddress();
  const { data, instead } = useLoaded(queryOf(listClaims), "claims");
  const [moved, setMoved] = useState<readonly string[]>([]);
  if (!data) return instead;
  const show = shows.find((one) => one === read("show"));
  const listed = show ? data.claims.filter((claim) => isOf(claim, show)) : data.claims;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Figures
        label="Claims in numbers"
        figures={counted.map((one) => ({
          label: showWords[one],
          value: data.claims.filter((claim) => isOf(claim, one)).length,
          note: one === "off" ? "until you restore them" : "on the pages",
        }))}
      />
      <Risk data={data} moved={moved} onMoved={setMoved} />
      <div className="flex flex-wrap items-center gap-3">
        <Filter
          label="Which claims"
          value={show ?? ""}
          options={[["", "All claims"], ...shows.map((one) => [one, showWords[one]] as const)]}
          onChange={(value) => write({ show: value || null })}
        />
      </div>
      {listed.length === 0 ? (
        <div className="border-line border-y py-12 text-center">No claims of this kind</div>
      ) : (
        <ul className="grid grid-cols-1 gap-4">
          {listed.map((claim) => (
            <li key={claim.id}>
              <ClaimCard claim={claim} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Removed claims count only as "off". */
function isOf({ state, withdrawnAt }: Claim, show: (typeof shows)[number]): boolean {
  return show === "off" ? withdrawnAt !== null : withdrawnAt === null && state === show;
}

interface RiskProps {
  data: ClaimList;
  /** The ids of the claims that were removed last. */
  moved: readonly string[];
  onMoved: (moved: readonly string[]) => void;
}

/** Removes all claims without proof from the pages, and undoes it. */
function Risk({ data, moved, onMoved }: RiskProps) {
  const [isAsking, setIsAsking] = useResumable("withdraw claims", false);
  const restore = useRestore(() => onMoved([]));
  const unproved = data.claims.filter((claim) => isOf(claim, "unproved"));
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
