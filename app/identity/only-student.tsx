import { titled } from "#ui/academy.ts";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";

/** Replaces a page with a card form while an administrator sees the academy as a student. */
export default function OnlyStudent() {
  return (
    <PageFrame title={titled("Only for the student")} description="" className="grid place-items-center p-4">
      <StateCard level={1} tone="held" title="Only the student can use this page">
        <p>While you see the academy as a student, you can't pay or change a card for them.</p>
      </StateCard>
    </PageFrame>
  );
}
