import { cx } from "class-variance-authority";
import { Tabs as Parts } from "radix-ui";
import type { ComponentProps } from "react";

/** `<Tabs defaultValue="a"><TabList label="…"><Tab value="a">…</Tab></TabList><TabPanel value="a">…</TabPanel></Tabs>` */
export const Tabs = Parts.Root;

export function TabList({ label, className, ...rest }: ComponentProps<typeof Parts.List> & { label: string }) {
  return (
    <Parts.List
      aria-label={label}
      className={cx("flex gap-1 overflow-x-auto border-ink border-b-2 [scrollbar-width:none]", className)}
      {...rest}
    />
  );
}

/** A file divider: the chosen one joins the panel below it. */
export function Tab({ className, ...rest }: ComponentProps<typeof Parts.Trigger>) {
  return (
    <Parts.Trigger
      className={cx(
        "min-h-11 whitespace-nowrap rounded-t-md px-4 font-bold text-ink-soft text-sm transition-colors hover:text-ink focus-visible:-outline-offset-4 data-[state=active]:bg-ink data-[state=active]:text-canvas sm:px-5 sm:text-base",
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Parts.Content>) {
  return <Parts.Content className={cx("pt-6 sm:pt-8", className)} {...rest} />;
}
