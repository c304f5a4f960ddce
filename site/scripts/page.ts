/* Inlined into every public page. Requests nothing before the first paint. */
import { watchConnection } from "#ui/feedback/connection.ts";
import { operateBar, showBarOf } from "#ui/frame/operate-bar.ts";

const root = document.documentElement;
root.dataset.live = "";

// Does not measure or ask browsers that signal "do not track".
const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
if (globalPrivacyControl || doNotTrack === "1") delete root.dataset.pixel;

const bar = document.querySelector<HTMLElement>("header.site-bar");
if (bar) operateBar(bar);
watchConnection();

// The server marks documents for browsers with a session cookie. Others need no request.
if (root.hasAttribute("data-session")) {
  const ask = () =>
    fetch("/api/auth/user").then(
      ({ ok }) => showBarOf(ok ? {} : null),
      () => root.dataset.user ?? showBarOf(null),
    );
  ask();
  // The user may have signed out in another tab.
  addEventListener("focus", ask);
}

// Distant parts of long pages (the style `when-near`) are laid out one by one while the browser is idle. Returning to a
// scroll position, scrolling, the keyboard and clicks all lay out the whole page.
const distant = [...document.querySelectorAll<HTMLElement>(".when-near")];
const whenIdle = window.requestIdleCallback ?? setTimeout;
function layOutNext(): void {
  const next = distant.shift();
  if (!next) return;
  next.style.contentVisibility = "visible";
  // Otherwise the next frame would lay out several parts in one long task.
  next.getBoundingClientRect();
  whenIdle(layOutNext);
}
const layOut = () => {
  root.dataset.whole = "";
};
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (visit?.type !== "navigate") layOut();
for (const begun of ["scroll", "keydown", "click"]) addEventListener(begun, layOut, { once: true, capture: true });

// A link to a section scrolls to where the page without its fonts had it, so this scrolls again after the fonts have
// loaded, unless the user has interacted. Safari has no scroll anchoring that would do it.
let hasBegun = visit?.type !== "navigate";
for (const act of ["wheel", "pointerdown", "keydown"]) {
  addEventListener(act, () => {
    hasBegun = true;
  });
}
function holdSection(): void {
  const section = document.querySelector(":target,[data-arrived]");
  // Layout starts to load the fonts that it needs.
  section?.getBoundingClientRect();
  document.fonts.ready.then(() => hasBegun || section?.scrollIntoView());
}

/** Loads fonts and lesson images, which would delay the first paint. */
function fetchTheRest(): void {
  document.querySelector("#fonts")?.removeAttribute("media");
  const images = [...document.querySelectorAll<HTMLImageElement>("img[data-src]")];
  for (const image of images) image.src = image.dataset.src ?? "";
  holdSection();
  // After the images, which it would delay, and the fonts, which would lay out everything again.
  const arrived = [document.fonts.ready, ...images.map((image) => image.decode())];
  Promise.allSettled(arrived).then(() => whenIdle(layOutNext));
}

// Background tabs do not paint, so they would wait until somebody opens them.
if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) fetchTheRest();
else {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    fetchTheRest();
  });
  observer.observe({ type: "paint", buffered: true });
}
