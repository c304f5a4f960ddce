import { type RefObject, useLayoutEffect, useRef } from "react";

/** The id of the button that opens a row. */
export function openerId(rowId: string): string {
  return `open-${rowId}`;
}

/**
 * Keeps the keyboard focus in a list whose rows open in the list's place: it moves into an opened row, and back to the
 * row's button when that is closed.
 * @param openId the open row. Empty while the list is shown.
 * @returns a ref for the element around the list.
 */
export function useRowFocus(openId: string): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  const before = useRef(openId);
  // Before the page looks for a place of its own for a focus that was lost (`keepFocus`), which it does after the commit.
  useLayoutEffect(() => {
    if (before.current === openId) return;
    const opener = document.getElementById(openerId(before.current));
    before.current = openId;
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && activeElement !== container.current;
    const isKept = isElsewhere && isShown(activeElement);
    if (!isKept) (isShown(opener) ? opener : container.current)?.focus();
  }, [openId]);
  return container;
}

function isShown(element: Element | null): boolean {
  return element !== null && element.getClientRects().length > 0;
}
