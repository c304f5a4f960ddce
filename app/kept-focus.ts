const reachable = "a[href], button:not(:disabled)";

/**
 * Whose button goes away with what it did, such as the one that deletes a row, goes on beside it, else at the main part:
 * the browser would begin at the top of the page. Only when nothing else has taken the focus by then.
 */
export function keepFocus(): void {
  let last: HTMLElement | null = null;
  let around: readonly (Element | null)[] = [];
  const isNowhere = () => document.activeElement === document.body;
  const remember = (target: EventTarget | null) => {
    if (!(target instanceof HTMLElement) || !target.closest("#main")) return;
    last = target;
    around = [target.parentElement, target.closest("tr, li")];
  };
  // A press beside everything is meant.
  const forget = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (target === last && last?.isConnected && isNowhere()) last = null;
    });
  const keep = () => {
    if (!last || last.isConnected || !isNowhere()) return;
    last = null;
    const staying = around.filter((element) => element?.isConnected);
    const [beside] = staying.flatMap((element) => element?.querySelector<HTMLElement>(reachable) ?? []);
    (beside ?? document.getElementById("main"))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => setTimeout(keep));
  observer.observe(document.body, { childList: true, subtree: true });
  remember(document.activeElement);
  document.addEventListener("focusin", ({ target }) => remember(target));
  document.addEventListener("focusout", forget);
}
