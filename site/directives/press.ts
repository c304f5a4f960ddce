import type { ClientDirective } from "astro";

/**
 * `client:press`: loads the island's code on the first click on a button in it. With `"focus"`, also when something in
 * it gets the focus, with `"idle"`, when the browser is idle, and with `"near"`, also when it is near the viewport. Replays a click that came before hydration. If the code
 * fails to load, the browser submits a form natively.
 */
const press: ClientDirective = (load, { value }, island) => {
  let pressed: HTMLButtonElement | undefined;
  let isBegun = false;

  const hydrate = async () => {
    const start = await load();
    const buttons = () => [...island.querySelectorAll("button")];
    const before = buttons();
    await start();
    island.removeEventListener("click", keep, true);
    // Tabs react to mousedown. React hydrates in steps, but at once on an event. Otherwise the user could press or focus
    // a field that React is about to replace.
    const urgent = pressed ?? (value === "focus" ? island.firstElementChild : null);
    urgent?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    if (!pressed) return;
    // React makes an island anew when its texts have changed, as on a translated page.
    (pressed.isConnected ? pressed : buttons()[before.indexOf(pressed)])?.click();
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

  if (value === "focus") island.addEventListener("focusin", begin, { once: true });
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
