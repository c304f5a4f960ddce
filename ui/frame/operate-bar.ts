/** Pixels of scrolling after which the bar gets a background. */
const restyleAfter = 10;

/** Gives the bar a background after scrolling, and operates its menu. */
export function operateBar(bar: HTMLElement): void {
  const restyle = () => bar.toggleAttribute("data-scrolled", window.scrollY > restyleAfter);
  restyle();
  window.addEventListener("scroll", restyle, { passive: true });
  operateMenu(bar);
}

/** Closes the bar's menu after a link, Escape or a click outside. Returns a function that ends this. */
export function operateMenu(bar: HTMLElement): () => void {
  const menu = bar.querySelector("details");
  const close = (event: Event) => {
    if (!menu?.open) return;
    if (event instanceof KeyboardEvent) {
      if (event.key !== "Escape") return;
      menu.querySelector("summary")?.focus();
    } else if (menu.contains(event.target as Node)) {
      // Closes at once, because the link's page may take a while.
      if (event.type !== "click" || !(event.target as Element).closest("a")) return;
    }
    menu.open = false;
  };
  const closing = ["keydown", "pointerdown", "click"];
  for (const kind of closing) window.addEventListener(kind, close);
  return () => {
    for (const kind of closing) window.removeEventListener(kind, close);
  };
}

/** Shows the links of a signed-in user, or of a visitor for null. Changes nothing while the user is unknown. */
export function showBarOf(user: object | null | undefined): void {
  if (user !== undefined) document.documentElement.dataset.user = user ? "known" : "none";
}
