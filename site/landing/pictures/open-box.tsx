/** An opened shipping box with papers standing out of it. */
export function OpenBox({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 420 340" className={`scheme-light ${className}`}>
      <g className="stroke-[2.5] stroke-kraft-ink" strokeLinejoin="round">
        <path d="m110 150-12-118 96-10 14 128z" className="fill-surface" />
        <path d="M120 56l56-6M123 76l60-6M125 96l40-4" className="stroke-4 stroke-line-strong" />
        <path d="m196 150 22-130 84 14-18 116z" className="fill-tag" />
        <path d="m238 50 40 7M234 72l28 5" className="stroke-4 stroke-tag-ink" />
        <path d="m262 150 26-76 60 20-22 56z" className="fill-surface" />
        <path d="M70 150h280v180H70z" className="fill-kraft" />
        <path d="M70 150 20 100l60-34 40 84zM350 150l54-42-50-46-54 88z" className="fill-kraft-soft" />
        <path d="M104 246h96v62h-96z" className="fill-surface" />
        <path
          d="M116 258v26M121 258v26M127 258v26M131 258v26M138 258v26M144 258v26M149 258v26M156 258v26M161 258v26M168 258v26M174 258v26M179 258v26M187 258v26"
          className="stroke-ink"
        />
        <path d="M116 296h48" className="stroke-line-strong" />
        <path d="M296 262v40m-14-26 14-14 14 14M276 312h40" className="fill-none stroke-[5]" />
      </g>
    </svg>
  );
}
