import type { ReactNode } from "react";
import { Card } from "./card.tsx";

/** A large number with its label. */
export function StatCard({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card padding="small" className="grid content-start gap-6">
      <p className="printed text-ink-soft">{label}</p>
      <p>
        <span className="narrow block text-display">{value}</span>
        {note && <span className="block text-fine text-ink-soft">{note}</span>}
      </p>
    </Card>
  );
}
