import type { ClientDirective } from "astro";

/**
 * `client:press`: an island whose code comes with the first press of a button in it; with `"idle"` when the browser has
 * nothing else to do, with `"near"` when the reader comes near. The island gets the press that came too early for it; where
 * its code cannot be fetched, a form is sent as browsers do by themselves.
 */
const press: ClientDirective = (load, { value }, island) => {
  let pressed: HTMLElement | undefined;
  let isBegun = false;

  const hydrate = async () => {
    await (await load())();
    island.removeEventListener("click", keep, true);
    // Tabs answer the mouse before it becomes a click.
    pressed?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    pressed?.click();
  };
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    hydrate().catch(() => {
      isBegun = false;
      if (!pressed?.closest("form")) return;
      island.removeEventListener("click", keep, true);
      pressed.click();
    });
  };
  const keep = (event: MouseEvent) => {
    const button = (event.target as Element).closest("button");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = button;
    begin();
  };
  island.addEventListener("click", keep, true);

  if (value === "idle") (window.requestIdleCallback ?? setTimeout)(begin);
  if (value === "near") {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        near.disconnect();
        begin();
      },
      { rootMargin: "600px" },
    );
    for (const child of island.children) near.observe(child);
  }
};
export default press;
