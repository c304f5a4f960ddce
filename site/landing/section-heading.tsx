import { cx } from "class-variance-authority";

interface SectionHeadingProps {
  id: string;
  heading: { title: string; lead: string };
  className?: string;
}

/** A section's title and lead. `id` is for the section's aria-labelledby. */
export function SectionHeading({ id, heading, className }: SectionHeadingProps) {
  return (
    <div className={cx("grid content-start gap-4", className)}>
      <h2 id={id} className="wide max-w-[16ch] text-display">
        {heading.title}
      </h2>
      <p className="max-w-[46ch] text-lead opacity-80">{heading.lead}</p>
    </div>
  );
}
