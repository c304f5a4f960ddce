/* Stands in every public page, and asks for nothing before the page is painted. */
import { watchConnection } from "#ui/feedback/connection.ts";
import { operateBar, showBarOf } from "#ui/frame/operate-bar.ts";

const root = document.documentElement;
root.dataset.live = "";

// Nobody whose browser says not to be tracked is measured, or asked.
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
if (globalPrivacyControl || doNotTrack === "1") delete root.dataset.pixel;

const bar = document.querySelector<HTMLElement>("header.site-bar");
if (bar) operateBar(bar);
watchConnection();

// The server marks a document that it gave to a browser with a session's cookie; nobody else is worth a request.
if (root.hasAttribute("data-session")) {
  fetch("/api/auth/user").then(
    ({ ok }) => showBarOf(ok ? {} : null),
    () => showBarOf(null),
  );
}

// Parts of a long page are laid out when the reader comes near, as the style `when-near` says. Anybody who comes back to a
// position in the page, leaves its start, uses the keyboard or follows a link within it gets the whole.
const layOut = () => {
  root.dataset.whole = "";
};
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (visit?.type !== "navigate") layOut();
for (const begun of ["scroll", "keydown", "click"]) addEventListener(begun, layOut, { once: true, capture: true });

// Anybody who arrives at a section was brought there by what the page measured before its fonts came: they are brought there
// again when those have come, unless they have begun to do something. Safari has no event for it, and holds no position by
// itself.
let hasBegun = visit?.type !== "navigate";
for (const act of ["wheel", "pointerdown", "keydown"]) {
  addEventListener(act, () => {
    hasBegun = true;
  });
}
function holdSection(): void {
  const section = document.querySelector(":target,[data-arrived]");
  // The layout asks for the fonts that it needs.
  section?.getBoundingClientRect();
  document.fonts.ready.then(() => hasBegun || section?.scrollIntoView());
}

/** Fonts, and the pictures of lessons, would keep the first paint waiting. */
function fetchTheRest(): void {
  document.querySelector("#fonts")?.removeAttribute("media");
  for (const image of document.querySelectorAll<HTMLImageElement>("img[data-src]")) image.src = image.dataset.src ?? "";
  holdSection();
}

// A tab in the background paints nothing, and would wait until somebody looks.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) fetchTheRest();
else {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    fetchTheRest();
  });
  observer.observe({ type: "paint", buffered: true });
}
