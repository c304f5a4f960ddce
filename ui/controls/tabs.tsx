import { cx } from "class-variance-authority";
import { Tabs as Parts } from "radix-ui";
import type { ComponentProps } from "react";

/** `<Tabs defaultValue="a"><TabList label="…"><Tab value="a">…</Tab></TabList><TabPanel value="a">…</TabPanel></Tabs>` */
export const Tabs = Parts.Root;

export const tabListStyle = "flex flex-wrap gap-x-1 border-ink border-b-2 max-[21rem]:gap-x-0";

export function TabList({ label, className, ...rest }: ComponentProps<typeof Parts.List> & { label: string }) {
  return <Parts.List aria-label={label} className={cx(tabListStyle, className)} {...rest} />;
}

/** The classes of a tab. Its `data-state` is `active` or absent. */
export const tabStyle =
  "min-h-11 shrink-0 whitespace-nowrap rounded-t-md px-3 font-bold text-ink-soft text-sm transition-colors hover:text-ink focus-visible:-outline-offset-4 max-xs:min-w-min max-xs:flex-1 max-xs:whitespace-normal max-xs:[overflow-wrap:normal] max-xs:px-2 max-xs:leading-tight max-[27rem]:px-1.5 max-[27rem]:text-fine max-[21rem]:px-1 max-[21rem]:text-[0.75rem] data-[state=active]:bg-ink data-[state=active]:text-canvas sm:px-5 sm:text-base";

/** A tab. The selected one is connected to its panel. */
export function Tab({ className, ...rest }: ComponentProps<typeof Parts.Trigger>) {
  return <Parts.Trigger className={cx(tabStyle, className)} {...rest} />;
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Parts.Content>) {
  return <Parts.Content className={cx("pt-4 sm:pt-6", className)} {...rest} />;
}
