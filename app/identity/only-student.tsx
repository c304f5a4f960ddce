import { titled } from "#ui/academy.ts";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";

/** Replaces a page with a card form while an administrator sees the academy as a student. */
export default function OnlyStudent() {
  return (
    <PageFrame title={titled("Only for the student")} description="" className="grid place-items-center p-4">
      <StateCard level={1} tone="held" title="Only the student can use this page">
        <p>You’re seeing the academy as a student, so you can’t pay or change their card.</p>
      </StateCard>
    </PageFrame>
  );
}
