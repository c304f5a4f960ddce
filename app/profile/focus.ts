/** As a `ref`: what appears in the place of what was just pressed takes the focus over. */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
