/*
 * The first script of every page, and a small one. A page that came as HTML is shown before its other scripts are even
 * fetched; until they have taken it over, what is pressed is kept, and pressed again then.
 */
const scripts = document.querySelector<HTMLTemplateElement>("#scripts");
const isReadable = document.getElementById("root")?.firstElementChild;

function fetchScripts(): void {
  if (scripts) document.body.append(scripts.content);
  // Vite's own server answers the page as it is in the sources.
  else if (import.meta.env.DEV) void Promise.all([import("./ui/fonts/fonts.css"), import("./browser.tsx")]);
}

// Whoever's browser says not to be tracked is not measured, nor asked.
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
if (globalPrivacyControl || doNotTrack === "1") delete document.documentElement.dataset.pixel;

if (isReadable) keepPresses();
// A tab in the background paints nothing, and would wait until somebody looks.
if (isReadable && !document.hidden) requestAnimationFrame(() => setTimeout(fetchScripts));
else fetchScripts();

/** Links and folds work by themselves; a button does nothing yet. */
function keepPresses(): void {
  const pressed: HTMLButtonElement[] = [];
  const keep = (event: MouseEvent) => {
    const button = (event.target as Element).closest("button");
    if (!button) return;
    event.preventDefault();
    pressed.push(button);
  };
  const pressAgain = () => {
    document.removeEventListener("click", keep, true);
    for (const button of pressed) {
      // Some answer the press itself, before it becomes a click.
      button.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
      button.click();
    }
  };
  document.addEventListener("click", keep, true);
  document.addEventListener("academy:taken-over", pressAgain, { once: true });
}

export {};
