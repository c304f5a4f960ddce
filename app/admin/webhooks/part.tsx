import { type ReactNode, useId } from "react";

/** A titled part of the page. */
export function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="font-bold text-xl leading-tight">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
