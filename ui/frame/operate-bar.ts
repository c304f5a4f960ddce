/** Pixels of scrolling after which the bar gets a ground of its own. */
const restyleAfter = 10;

/**
 * Has the bar follow the reader: it gets a ground when the page is scrolled; following a link, Escape and a press outside
 * close its menu. Returns what ends it.
 */
export function operateBar(bar: HTMLElement): () => void {
  const menu = bar.querySelector("details");
  const restyle = () => bar.toggleAttribute("data-scrolled", window.scrollY > restyleAfter);
  const close = (event: Event) => {
    if (!menu?.open) return;
    if (event instanceof KeyboardEvent) {
      if (event.key !== "Escape") return;
      menu.querySelector("summary")?.focus();
    } else if (menu.contains(event.target as Node)) {
      // A link's page may be a while on its way.
      if (event.type !== "click" || !(event.target as Element).closest("a")) return;
    }
    menu.open = false;
  };
  const closing = ["keydown", "pointerdown", "click"];
  restyle();
  window.addEventListener("scroll", restyle, { passive: true });
  for (const kind of closing) window.addEventListener(kind, close);
  return () => {
    window.removeEventListener("scroll", restyle);
    for (const kind of closing) window.removeEventListener(kind, close);
  };
}

/** Has the bar show the ways of `user`, or those of a visitor for null; undefined is somebody not known yet. */
export function showBarOf(user: object | null | undefined): void {
  if (user !== undefined) document.documentElement.dataset.user = user ? "known" : "none";
}
