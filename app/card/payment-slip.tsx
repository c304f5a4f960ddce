import type { ReactNode } from "react";
import { Barcode } from "#ui/brand/bars.tsx";
import { useTopOfPage } from "./top-of-page.ts";

interface SlipProps {
  /** The value in the barcode. */
  code: string;
  stamp: string;
  title: string;
  message: string;
  /** The printed lines. Lines without a value are left out. */
  lines: readonly (readonly [name: string, value: string | false | null | undefined])[];
  /** The links or buttons. */
  children: ReactNode;
}

/** A receipt. Its headline is at the top and has the focus when it appears, so that screen readers read it. */
export function Slip({ code, stamp, title, message, lines, children }: SlipProps) {
  const heading = useTopOfPage<HTMLHeadingElement>();
  return (
    <div className="torn-bottom mx-auto max-w-lg bg-surface px-6 pt-8 sm:px-10">
      <div className="flex items-center justify-between gap-4 border-ink border-b-2 pb-5">
        <Barcode value={code} className="h-7 w-36" />
        <p className="printed">{stamp}</p>
      </div>
      <h1 ref={heading} tabIndex={-1} className="wide mt-6 text-title outline-none">
        {title}
      </h1>
      <p className="mt-3 text-ink-soft">{message}</p>
      {/* Above the lines, because a toast covers the bottom of a phone. */}
      <div className="mt-6 grid gap-3">{children}</div>
      <dl className="mt-7 mb-4 grid border-line border-t border-dashed">
        {lines.map(
          ([name, value]) =>
            value && (
              <div
                key={name}
                className="flex items-baseline justify-between gap-6 border-line border-b border-dashed py-3"
              >
                <dt className="shrink-0 text-ink-soft">{name}</dt>
                <dd className="break-words text-right font-semibold">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}
