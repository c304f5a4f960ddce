/** A decorative spinner. Words beside it must name what is loading. */
export function Spinner({ className = "" }: { className?: string }) {
  return <span aria-hidden="true" className={`spinner ${className}`} />;
}
