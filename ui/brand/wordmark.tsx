import { cx } from "class-variance-authority";
import { academy } from "#ui/academy.ts";

/**
 * The academy's logo, or a price tag with its name. `compact` hides the name on phones. Decorative: the surrounding
 * link needs the name.
 */
export function Wordmark({ compact }: { compact?: boolean }) {
  const { name, logo } = academy();
  if (logo) return <img className="logo" src={logo.src} width={logo.width} height={logo.height} alt={logo.alt} />;
  return (
    <span className="wide inline-flex items-center gap-2.5 text-[min(1.25rem,6.25vw)]">
      <svg aria-hidden="true" viewBox="0 0 34 24" className="ornament h-[1.2em] w-[1.7em] shrink-0">
        <path d="M9 1h23a1 1 0 0 1 1 1v20a1 1 0 0 1-1 1H9L1 12Z" className="fill-tag stroke-[1.5] stroke-tag-ink" />
        <circle cx="9.5" cy="12" r="2" className="fill-tag-ink" />
        <path d="M16 6v12M19 6v12M21.5 6v12M25.5 6v12M28 6v12" className="stroke-[1.5] stroke-tag-ink" />
      </svg>
      <span
        className={cx(
          "line-clamp-2 max-w-[20ch] leading-tight wrap-anywhere",
          compact && "compact-name max-sm:sr-only max-sm:text-base",
        )}
      >
        {name}
      </span>
    </span>
  );
}
