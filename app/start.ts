/*
 * The first script of every page, and a small one: it stands in the page itself. A page that came as HTML, with the part
 * of the style sheet that this needs, is shown before the whole sheet and the other scripts are even fetched; until they
 * have taken it over, what is pressed is kept, and pressed again then.
 */
const rest = document.querySelector<HTMLTemplateElement>("#rest")?.content;

// Nobody whose browser says not to be tracked is measured, or asked.
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
if (globalPrivacyControl || doNotTrack === "1") delete document.documentElement.dataset.pixel;

// Parts of a long page are laid out when the reader comes near, as the style `when-near` says. Anybody who comes back to a
// place in the page, leaves its start or uses the keyboard gets the whole.
const layOut = () => {
  document.documentElement.dataset.whole = "";
};
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (visit?.type !== "navigate") layOut();
addEventListener("scroll", layOut, { once: true });
addEventListener("keydown", layOut, { once: true });

// Anybody who arrives at a section was brought there by what the page measured before its fonts came: they are brought there
// again when those have come, unless they have begun to do something.
if (visit?.type === "navigate") {
  const bring = () => document.querySelector(":target,[data-arrived]")?.scrollIntoView();
  document.fonts.addEventListener("loadingdone", bring);
  for (const begun of ["wheel", "pointerdown", "keydown"]) {
    addEventListener(begun, () => document.fonts.removeEventListener("loadingdone", bring), { once: true });
  }
}

if (rest) {
  keepPresses();
  // A tab in the background paints nothing, and would wait until somebody looks.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) fetchRest(rest);
  else onFirstPaint(() => fetchRest(rest));
}
// Vite's own server answers the page as it is in the sources.
else if (import.meta.env.DEV) void import("./browser.tsx");

function onFirstPaint(run: () => void): void {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    run();
  });
  observer.observe({ type: "paint", buffered: true });
}

/**
 * The scripts may show what the page's own part of the style sheet knows nothing of: they are fetched at once and run when
 * all of it is there, one after the other, so that the browser can answer the reader in between.
 */
function fetchRest(rest: DocumentFragment): void {
  const sheet = rest.querySelector<HTMLLinkElement>("[rel=stylesheet]");
  const addresses = [...rest.querySelectorAll<HTMLLinkElement>("[rel=modulepreload]")].map(({ href }) => href);
  const run = () => {
    for (const src of addresses) {
      document.body.append(Object.assign(document.createElement("script"), { type: "module", async: false, src }));
    }
  };
  if (sheet) sheet.onload = sheet.onerror = run;
  document.body.append(rest);
}

/** Links and folds work by themselves; a button does nothing yet. */
function keepPresses(): void {
  const pressed: HTMLButtonElement[] = [];
  const keep = (event: MouseEvent) => {
    const button = (event.target as Element).closest("button");
    if (!button) return;
    event.preventDefault();
    // A page that is being hydrated would answer by what it knew when it was built, and once more afterwards.
    event.stopPropagation();
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
  // Not while the page is still saying so: parts that are hydrated later are hydrated by the press, as soon as it is done.
  document.addEventListener("academy:taken-over", () => setTimeout(pressAgain), { once: true });
}

export {};
