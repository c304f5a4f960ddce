/** Bars under a scanner; decoration, so say in words beside it what is being waited for. */
export function Spinner({ className = "" }: { className?: string }) {
  return <span aria-hidden="true" className={`spinner ${className}`} />;
}
