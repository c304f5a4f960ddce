/** How far along, from 0 to 100; values outside are brought in. `label` says what is measured. */
export function Progress({ value, label, className = "" }: { value: number; label: string; className?: string }) {
  const within = Math.min(100, Math.max(0, Math.round(value)));
  return <progress aria-label={label} max={100} value={within} className={`meter ${className}`} />;
}
