import { barsOf } from "#contract/barcode.ts";

/** Draws bars from a text, always the same for the same text. An ornament without a real code. */
export function Barcode({ value, className = "" }: { value: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      className={`ornament fill-current ${className}`}
    >
      <path d={barsOf(value)} />
    </svg>
  );
}
