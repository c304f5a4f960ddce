/** Drawn as a line of two units unless a class changes it. `play` is an area. */
const drawings = {
  back: { box: [16, 16], path: "M9 2 3 8l6 6M3 8h12" },
  check: { box: [16, 16], path: "m2 8 4 5 8-10" },
  cross: { box: [16, 16], path: "m2 2 12 12M14 2 2 14" },
  dots: { box: [16, 4], path: "M.5 2h3M6.5 2h3M12.5 2h3" },
  down: { box: [12, 8], path: "m1 1.5 5 5 5-5" },
  lock: { box: [20, 20], path: "M3 9h14v10H3zM6 9V6a4 4 0 0 1 8 0v3" },
  menu: { box: [24, 24], path: "M2 6h20M2 12h20M2 18h13" },
  play: { box: [24, 24], path: "m9 7 9 5-9 5z" },
  plus: { box: [16, 16], path: "M8 1v14M1 8h14" },
  search: { box: [20, 20], path: "M8.5 2a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM13 13l5.5 5.5" },
  up: { box: [12, 8], path: "m1 6.5 5-5 5 5" },
} as const;

export type IconName = keyof typeof drawings;

/** An icon in the text's colour, beside words with the same meaning. Its class sets the size. */
export function Icon({ name, className }: { name: IconName; className: string }) {
  const { box, path } = drawings[name];
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${box[0]} ${box[1]}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      className={className}
    >
      <path d={path} />
    </svg>
  );
}
