import { cva, cx, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { Spinner } from "#ui/spinner.tsx";

/** The classes of a button, also for links that look like one. */
export const buttonStyle = cva(
  "button relative inline-flex max-w-full shrink-0 select-none items-center justify-center gap-2 rounded-sm text-center font-bold leading-tight no-underline transition-[translate,background-color,box-shadow,opacity] duration-150 ease-shop active:translate-y-px disabled:opacity-55 data-idle:opacity-55",
  {
    variants: {
      variant: {
        action: "bg-action text-action-ink hover:opacity-88",
        tag: "bg-tag text-tag-ink shadow-[inset_0_-3px_0_var(--tag-deep)] hover:shadow-[inset_0_-5px_0_var(--tag-deep)] active:shadow-none",
        outline:
          "border-[1.5px] border-current bg-transparent text-ink hover:bg-ink hover:text-canvas hover:border-ink",
        quiet: "bg-transparent text-ink hover:bg-sunken",
        danger: "bg-danger text-surface hover:opacity-88",
      },
      size: {
        small: "min-h-9 px-3.5 text-sm",
        medium: "min-h-11 px-pad text-base",
        large: "min-h-14 px-pad text-lg sm:px-7",
      },
      wide: { true: "w-full" },
    },
    defaultVariants: { variant: "action", size: "medium" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonStyle> {
  /** An action of this button is in progress: it keeps its width and focus, and ignores clicks. */
  pending?: boolean;
  /** Nothing to do right now: unlike a disabled button it keeps its focus, and ignores clicks. */
  idle?: boolean | undefined;
}

export function Button({ variant, size, wide, pending, idle, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(buttonStyle({ variant, size, wide }), className)}
      aria-disabled={pending || idle || undefined}
      aria-busy={pending || undefined}
      data-idle={idle || undefined}
      onClick={(event) => (pending || idle ? event.preventDefault() : onClick?.(event))}
    >
      <span className={cx("inline-flex items-center gap-2", pending && "opacity-0")}>{children}</span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
}
