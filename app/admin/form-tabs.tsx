import { cx } from "class-variance-authority";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { faultAt } from "#app/api/use-form.ts";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { Tab, TabList, TabPanel, Tabs } from "#ui/controls/tabs.tsx";
import { useAddress } from "./address.ts";

export interface FormTab {
  /** Its name in the URL, as `?tab=` or as an anchor. */
  id: string;
  title: string;
  /** Older anchors that lead to it. */
  anchors?: readonly string[];
  /** The names of its fields. It opens when the server or the browser refuses one of them. */
  fields: readonly string[];
  /** Whether it fills wide windows. */
  isWide?: boolean;
  content: ReactNode;
}

interface FormTabsProps {
  /** Names the tabs for screen readers. */
  label: string;
  form: Pick<FormOf<object>, "faults" | "isSending">;
  tabs: readonly [FormTab, ...FormTab[]];
}

/** The parts of a long form, which is saved as a whole. Closed tabs stay mounted. */
export function FormTabs({ label, form: { faults, isSending }, tabs }: FormTabsProps) {
  const { read, write } = useAddress();
  const anchor = useLocation().hash.slice(1);
  const inAddress = read("tab");
  const named =
    tabs.find(({ id }) => id === inAddress) ??
    tabs.find(({ id, anchors = [] }) => [id, ...anchors].includes(anchor)) ??
    tabs[0];
  const [refused, setRefused] = useState({ tab: "", at: "" });
  const open = refused.tab && refused.at === inAddress ? refused.tab : named.id;

  // Runs while rendering, so the tab is open before the form focuses the first wrong field.
  const [wasSending, setWasSending] = useState(isSending);
  const isWrong = ({ fields }: FormTab) => fields.some((name) => faultAt(faults, name));
  if (wasSending !== isSending) {
    setWasSending(isSending);
    const first = tabs.find(isWrong);
    if (!isSending && first) setRefused({ tab: first.id, at: inAddress });
  }

  function choose(tab: string): void {
    setRefused({ tab: "", at: "" });
    write({ tab });
  }

  return (
    <Tabs value={open} onValueChange={choose}>
      <TabList label={label} className="max-sm:grid max-sm:grid-cols-3">
        {tabs.map((tab) => (
          <Tab key={tab.id} value={tab.id} className="sm:px-4">
            {tab.title}
            {isWrong(tab) && (
              <>
                <span aria-hidden="true" className="ml-2 rounded-sm bg-danger px-1.5 text-fine text-surface">
                  !
                </span>
                <span className="sr-only"> Has an error</span>
              </>
            )}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, isWide, content }) => (
        <TabPanel key={id} value={id} forceMount className="data-[state=inactive]:hidden">
          <div className={cx("grid gap-5", !isWide && "max-w-3xl")}>{content}</div>
        </TabPanel>
      ))}
    </Tabs>
  );
}
