import { type ReactNode, useId } from "react";
import { Card } from "#ui/card.tsx";

interface PanelProps {
  title: string;
  /** Shown beside the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled section of a page. */
export function Panel({ title, aside, className, children }: PanelProps) {
  const id = useId();
  return (
    <Card padding="none" className={className}>
      <section aria-labelledby={id} className="p-4 sm:p-6">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 id={id} className="font-bold text-lg leading-tight">
            {title}
          </h2>
          {aside}
        </div>
        {children}
      </section>
    </Card>
  );
}

/** The text of a panel whose list is empty. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-ink-soft text-sm">{children}</p>;
}
