/** A progress bar from 0 to 100. Values outside are clamped. `label` names what is measured. */
export function Progress({ value, label, className = "" }: { value: number; label: string; className?: string }) {
  const within = Math.min(100, Math.max(0, Math.round(value)));
  return <progress aria-label={label} max={100} value={within} className={`meter ${className}`} />;
}
