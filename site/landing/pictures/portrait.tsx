/** The place for a portrait: a neutral head and shoulders in a photo's frame. */
export function Portrait({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 120 144" className={className}>
      <path d="M1 1h118v142H1z" className="fill-kraft-soft" />
      <g className="stroke-2 stroke-ink">
        <path d="M12 143c0-34 20-50 48-50s48 16 48 50z" className="fill-kraft" />
        <path d="M48 80h24v20c-6 8-18 8-24 0z" className="fill-surface" />
        <ellipse cx="60" cy="58" rx="25" ry="31" className="fill-surface" />
        <path d="M1 1h118v142H1z" className="fill-none" />
      </g>
    </svg>
  );
}
