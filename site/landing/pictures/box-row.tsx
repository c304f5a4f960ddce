/** Boxes in a row on the shelf below, one of them marked down. */
export function BoxRow() {
  return (
    <svg aria-hidden="true" viewBox="0 0 400 124" className="scheme-light block w-full">
      <g className="fill-kraft stroke-2 stroke-kraft-ink">
        <path d="M1 34h104v90H1zM195 54h88v70h-88zM289 20h64v104h-64z" />
      </g>
      <g className="fill-kraft-soft stroke-2 stroke-kraft-ink">
        <path d="M111 8h78v116h-78zM41 34h24v30H41zM359 62h40v62h-40z" />
      </g>
      <path d="M111 8h78v26h-78z" className="fill-line-strong" />
      <path d="M124 50h44M124 62h30" className="stroke-[5] stroke-kraft-ink" />
      <path d="M12 84h54v30H12zM208 84h44v28h-44z" className="fill-surface stroke-2 stroke-kraft-ink" />
      <path
        d="M18 90v12M22 90v12M27 90v12M30 90v12M36 90v12M39 90v12M45 90v12M49 90v12M54 90v12M59 90v12M214 90v16M218 90v16M223 90v16M227 90v16M233 90v16M238 90v16M244 90v16"
        className="stroke-2 stroke-ink"
      />
      <path d="m302 70 11-11h34v30h-34l-11-11z" className="fill-tag stroke-2 stroke-tag-ink" />
      <circle cx="313" cy="74" r="2.5" className="fill-tag-ink" />
      <path d="M321 70h18M321 79h12" className="stroke-[3.5] stroke-tag-ink" />
    </svg>
  );
}
