import { cx } from "class-variance-authority";
import { Tabs as Parts } from "radix-ui";
import { type ComponentProps, useEffect, useRef } from "react";

/** `<Tabs defaultValue="a"><TabList label="…"><Tab value="a">…</Tab></TabList><TabPanel value="a">…</TabPanel></Tabs>` */
export const Tabs = Parts.Root;

export function TabList({ label, className, ...rest }: ComponentProps<typeof Parts.List> & { label: string }) {
  return (
    <Parts.List
      ref={useSelectedInView()}
      aria-label={label}
      className={cx(
        "relative flex gap-1 max-[21rem]:gap-0 overflow-x-auto border-ink border-b-2 [scrollbar-width:none]",
        className,
      )}
      {...rest}
    />
  );
}

/** Scrolls the selected tab into view when the list is wider than the screen. */
function useSelectedInView() {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>("[data-state=active]") ?? null;
    if (chosen && chosen !== shown.current) list.current?.scrollTo({ left: chosen.offsetLeft - 16 });
    shown.current = chosen;
  });
  return list;
}

/** A tab. The selected one is connected to its panel. */
export function Tab({ className, ...rest }: ComponentProps<typeof Parts.Trigger>) {
  return (
    <Parts.Trigger
      className={cx(
        "min-h-11 shrink-0 whitespace-nowrap rounded-t-md px-3 font-bold text-ink-soft text-sm transition-colors hover:text-ink focus-visible:-outline-offset-4 max-xs:shrink max-xs:[overflow-wrap:normal] max-xs:whitespace-normal max-xs:px-2 max-xs:leading-tight max-[27rem]:px-1.5 max-[27rem]:text-fine max-[21rem]:px-1 max-[21rem]:text-[0.75rem] data-[state=active]:bg-ink data-[state=active]:text-canvas sm:px-5 sm:text-base",
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Parts.Content>) {
  return <Parts.Content className={cx("pt-6 sm:pt-8", className)} {...rest} />;
}
