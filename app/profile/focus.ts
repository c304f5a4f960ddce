/** A `ref` callback that focuses an element when it replaces the control that was just used. */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
