import { Suspense, useState } from "react";
import type { Module } from "#contract/catalogue.ts";
import type { Tier } from "#contract/tiers.ts";
import { late } from "#ui/feedback/late.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import type { ProgressNumbers } from "../progress/numbers.ts";

const [Finish] = late("what comes next", () => import("./finish.tsx"));

interface FinishWhenDoneProps {
  modules: readonly Module[];
  numbers: ProgressNumbers;
  /** Null in the preview, which has no end. */
  tier: Tier | null;
}

/** The end of the course, once every lesson is completed. */
export function FinishWhenDone({ modules, numbers, tier }: FinishWhenDoneProps) {
  const isFinished = tier !== null && numbers.percent === 100;
  const [wasFinished] = useState(isFinished);
  if (!isFinished) return null;
  return (
    <Suspense fallback={<Skeleton className="h-72" />}>
      <Finish modules={modules} numbers={numbers} tier={tier} isNew={!wasFinished} />
    </Suspense>
  );
}
