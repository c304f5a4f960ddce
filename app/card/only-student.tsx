import { StateCard } from "#ui/feedback/state-card.tsx";

/** Replaces a page with a card form while an administrator sees the academy as a student. */
export default function OnlyStudent() {
  return (
    <StateCard level={1} tone="held" title="Only the student can use this page">
      <p>While you see the academy as a student, you can't pay or change a card for them.</p>
    </StateCard>
  );
}
