const focusable = "a[href], button:not(:disabled)";

/**
 * When an action removes its own button, such as deleting a row, moves the focus to an element nearby, else to the main
 * content. Otherwise the browser would continue at the top of the page. Does nothing if something else has the focus.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  let around: readonly (Element | null)[] = [];
  const hasNoFocus = () => document.activeElement === document.body;
  const remember = (target: EventTarget | null) => {
    if (!(target instanceof HTMLElement) || !target.closest("#main")) return;
    last = target;
    around = [target.parentElement, target.closest("tr, li")];
  };
  // A click on empty space removes the focus on purpose.
  const forget = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (target === last && last?.isConnected && hasNoFocus()) last = null;
    });
  const keep = () => {
    if (!last || last.isConnected || !hasNoFocus()) return;
    last = null;
    const staying = around.filter((element) => element?.isConnected);
    const [beside] = staying.flatMap((element) => element?.querySelector<HTMLElement>(focusable) ?? []);
    (beside ?? document.getElementById("main"))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => setTimeout(keep));
  observer.observe(document.body, { childList: true, subtree: true });
  remember(document.activeElement);
  document.addEventListener("focusin", ({ target }) => remember(target));
  document.addEventListener("focusout", forget);
}
