import { cx } from "class-variance-authority";
import { DropdownMenu as Parts } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { Icon } from "#ui/icon.tsx";

type MenuProps = { children: ReactNode } & (
  | { label: string; trigger?: never }
  /** A `Button`. */
  | { trigger: ReactElement; label?: never }
);

/** A button that opens a menu: `trigger`, or three dots whose accessible name is `label`. Children are MenuItems. */
export function Menu({ label, trigger, children }: MenuProps) {
  return (
    <Parts.Root modal={false}>
      {trigger ? (
        <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      ) : (
        <Parts.Trigger
          aria-label={label}
          className="grid size-9 shrink-0 place-items-center rounded-sm pointer-coarse:size-11 hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <Icon name="dots" className="w-4 stroke-3" />
        </Parts.Trigger>
      )}
      <Parts.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className="z-60 min-w-52 rounded-md border border-edge bg-surface py-1.5 text-ink shadow-raised"
      >
        {children}
      </Parts.Content>
    </Parts.Root>
  );
}

/** A menu item. `isDangerous` marks irreversible actions once they are pointed at. */
export function MenuItem({
  isDangerous,
  className,
  ...rest
}: ComponentProps<typeof Parts.Item> & { isDangerous?: boolean }) {
  return (
    <Parts.Item
      className={cx(
        "flex min-h-10 cursor-pointer items-center px-4 text-sm outline-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-sunken data-[disabled]:text-ink-soft",
        isDangerous && "data-[highlighted]:text-danger",
        className,
      )}
      {...rest}
    />
  );
}
