import { cx } from "class-variance-authority";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "#ui/icon.tsx";

interface FoldProps extends Omit<ComponentProps<"details">, "title"> {
  /** Shown in the line that opens and closes it. */
  title: ReactNode;
  /** At the end of the title's line, such as a badge or a count. */
  aside?: ReactNode;
}

/** A disclosure. Works without scripts. Folds with the same `name` open one at a time. */
export function Fold({ title, aside, className, children, ...rest }: FoldProps) {
  return (
    <details className={cx("fold group border-line border-b", className)} {...rest}>
      <summary className="flex list-none items-center gap-4 py-5">
        <span className="grow font-bold text-lg leading-snug">{title}</span>
        {aside}
        <Icon
          name="plus"
          className="size-4 shrink-0 transition-transform duration-300 ease-shop group-open:rotate-45"
        />
      </summary>
      <div className="pb-6">{children}</div>
    </details>
  );
}

/** A list of folds. */
export function Accordion({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cx("border-ink border-t-2", className)} {...rest} />;
}
