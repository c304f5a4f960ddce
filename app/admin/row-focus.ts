import { type RefObject, useEffect, useRef } from "react";

/** The id of the button that opens a row. */
export function openerId(rowId: string): string {
  return `open-${rowId}`;
}

/**
 * For the element around a list whose rows open in the list's place: anybody who opens one by keyboard goes on in what is
 * open, and after closing it at the button that opened it. `openId` is empty while the list is shown.
 */
export function useRowFocus(openId: string): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  const before = useRef(openId);
  useEffect(() => {
    if (before.current === openId) return;
    const opener = document.getElementById(openerId(before.current));
    before.current = openId;
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && activeElement !== container.current;
    const isKept = isElsewhere && activeElement?.checkVisibility();
    if (!isKept) (opener?.checkVisibility() ? opener : container.current)?.focus();
  }, [openId]);
  return container;
}
