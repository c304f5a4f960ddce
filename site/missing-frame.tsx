/** A strip of film from which one frame is missing. */
export function MissingFrame({ className }: { className: string }) {
  const holes = Array.from(
    { length: 24 },
    (_, index) => `M${18 + index * 60} 20h24v22h-24zM${18 + index * 60} 294h24v22h-24z`,
  );
  const frames = [24, 306, 870, 1152];
  return (
    <svg aria-hidden="true" viewBox="0 0 1440 336" preserveAspectRatio="xMidYMid slice" className={className}>
      <path d="M0 0h1440v336H0z" className="fill-rail" />
      <path d={holes.join("")} className="fill-sunken" />
      {frames.map((x) => (
        <g key={x}>
          <path d={`M${x} 62h264v212H${x}z`} className="fill-surface" />
          <path d={`m${x + 108} 130 62 38-62 38z`} className="fill-line-strong" />
        </g>
      ))}
      <path d="M588 62h264v212H588z" className="fill-sunken stroke-2 stroke-line-strong" strokeDasharray="6 9" />
      <g transform="rotate(-7 752 176)">
        <path d="M642 96h220v160H642z" className="fill-tag stroke-2 stroke-tag-ink" />
        <path d="m724 140 58 36-58 36z" className="fill-tag-ink" />
      </g>
    </svg>
  );
}
