/** A bare shelf: labels on the edge, dust where boxes stood, one leaning tag. */
export function EmptyShelf({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 1440 336" preserveAspectRatio="xMidYMax slice" className={className}>
      <path d="M0 0h1440v290H0z" className="fill-sunken" />
      <path d="M90 0v300M500 0v300M910 0v300M1320 0v300" className="stroke-[10] stroke-line" />
      <g className="fill-none stroke-2 stroke-line-strong" strokeDasharray="6 9">
        <path d="M150 120h130v170H150zM310 190h110v100H310zM560 90h150v200H560zM1000 150h210v140h-210z" />
      </g>
      <path d="M0 290h1440v46H0z" className="fill-rail" />
      <g className="scheme-light fill-surface">
        <path d="M180 298h110v30H180zM590 298h110v30H590zM1050 298h110v30h-110z" />
      </g>
      <g className="scheme-light stroke-3 stroke-ink">
        <path d="M192 306v14M197 306v14M203 306v14M207 306v14M214 306v14M220 306v14M225 306v14M232 306v14" />
        <path d="M602 306v14M607 306v14M613 306v14M617 306v14M624 306v14M630 306v14M635 306v14M642 306v14" />
        <path d="M1062 306v14M1067 306v14M1073 306v14M1077 306v14M1084 306v14M1090 306v14M1095 306v14M1102 306v14" />
      </g>
      <g transform="rotate(-14 840 230)">
        <path d="m770 240 34-50h130v100H804z" className="fill-tag stroke-2 stroke-tag-ink" />
        <circle cx="802" cy="240" r="8" className="fill-tag-ink" />
        <path d="M838 216h70M838 240h70M838 264h44" className="stroke-8 stroke-tag-ink" />
      </g>
    </svg>
  );
}
