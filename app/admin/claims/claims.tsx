import { useState } from "react";
import { queryOf } from "#app/api/query.ts";
import { type Claim, listClaims } from "#contract/admin/claims.ts";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { Figures } from "../figures.tsx";
import { Filter } from "../filters.tsx";
import { useLoaded } from "../loaded.tsx";
import { ClaimCard } from "./claim-card.tsx";
import { Risk } from "./risk.tsx";

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
