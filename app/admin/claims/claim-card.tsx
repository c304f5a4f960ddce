import { useState } from "react";
import type { Claim, ClaimRecord, ClaimState } from "#contract/admin/claims.ts";
import { named } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useRestore, useWithdraw } from "./claim-actions.ts";
import { DropRecordDialog, ExemptDialog, RecordDialog } from "./claim-dialogs.tsx";

const states: Readonly<Record<ClaimState, { tone: "success" | "tag" | "plain" | "kraft"; words: string }>> = {
  true: { tone: "success", words: "Proved by your data" },
  proved: { tone: "tag", words: "Proof added" },
  exempt: { tone: "plain", words: "Needs no proof" },
  unproved: { tone: "kraft", words: "No proof yet" },
};

export function ClaimCard({ claim }: { claim: Claim }) {
  const [open, setOpen] = useState<"record" | "exempt" | null>(null);
  const close = () => setOpen(null);
  const withdraw = useWithdraw();
  const restore = useRestore();
  const { tone, words } = states[claim.state];
  const text = named(claim.text);
  const beginning = beginningOf(text);
  return (
    <Card padding="none">
      <article aria-labelledby={`claim-${claim.id}`} className="grid grid-cols-1 gap-4 p-4 sm:p-6">
        <div className="flex flex-wrap gap-2">
          <Badge tone={tone}>{words}</Badge>
          {claim.withdrawnAt && <Badge>Removed</Badge>}
        </div>
        <div className="grid grid-cols-1 gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div>
            <h2 id={`claim-${claim.id}`} className="max-w-prose font-semibold leading-snug wrap-anywhere">
              {text}
            </h2>
            <p className="mt-2 text-ink-soft text-sm">{claim.where}</p>
          </div>
          <div className="grid content-start gap-2 text-sm">
            <p>{claim.finding}</p>
            {claim.withdrawnAt && <p className="text-ink-soft">Removed {formatTimestamp(claim.withdrawnAt)}.</p>}
          </div>
        </div>
        {claim.records.length > 0 && (
          <ul className="grid grid-cols-1 gap-3 border-line border-t pt-4" aria-label="Proof">
            {claim.records.map((record) => (
              <li key={record.id}>
                <Record record={record} canBeExempt={claim.canBeExempt} />
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="small" onClick={() => setOpen("record")}>
            Add proof<span className="sr-only"> for: {beginning}</span>
          </Button>
          {claim.state === "unproved" && claim.canBeExempt && (
            <Button variant="outline" size="small" onClick={() => setOpen("exempt")}>
              Mark as needing no proof<span className="sr-only">: {beginning}</span>
            </Button>
          )}
          {claim.withdrawnAt ? (
            <Button size="small" pending={restore.isPending} onClick={() => restore.mutate([claim.id])}>
              Restore<span className="sr-only">: {beginning}</span>
            </Button>
          ) : (
            <Button
              variant="outline"
              size="small"
              pending={withdraw.isPending}
              onClick={() => withdraw.mutate([claim.id])}
            >
              Remove<span className="sr-only">: {beginning}</span>
            </Button>
          )}
        </div>
      </article>
      {open === "record" && <RecordDialog claim={claim} onClose={close} />}
      {open === "exempt" && <ExemptDialog claim={claim} onClose={close} />}
    </Card>
  );
}

/** Shortens a claim, which may be many sentences long, for the accessible names of its buttons. */
function beginningOf(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).replace(/\s+\S*$/, "")}…` : text;
}

function Record({ record, canBeExempt }: { record: ClaimRecord; canBeExempt: boolean }) {
  const [isDropping, setIsDropping] = useState(false);
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 text-sm">
      <div className="min-w-0 max-w-prose">
        <p className="wrap-anywhere">{record.note}</p>
        {record.link && (
          <p className="mt-1">
            <a
              href={record.link}
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-4 wrap-anywhere"
            >
              {record.link}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </p>
        )}
        <p className="mt-1 text-fine text-ink-soft">
          {record.isExemption ? "Marked" : `Proof of ${record.date}, added`} {formatTimestamp(record.recordedAt)} by{" "}
          {record.recordedBy ?? "a former administrator"}
          {!record.isCurrent &&
            (record.isExemption && !canBeExempt
              ? ". The claim needs proof, so the mark no longer counts"
              : ". It was for an earlier version, so it no longer counts")}
          .
        </p>
      </div>
      <Button variant="quiet" size="small" onClick={() => setIsDropping(true)}>
        {record.isExemption ? "Remove mark" : "Delete"}
        <span className="sr-only">: {record.note}</span>
      </Button>
      {isDropping && <DropRecordDialog record={record} onClose={() => setIsDropping(false)} />}
    </div>
  );
}
