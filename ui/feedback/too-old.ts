import { supportedBrowsers } from "#content/browsers.ts";

export const tooOld = `This browser is too old. The academy needs ${supportedBrowsers}.`;

/**
 * A script for any browser, before all others. It marks documents in browsers that lack one of two features, whose first
 * versions are the oldest supported ones (test/browsers.integration.test.ts). There, and where a script cannot be
 * parsed, the element says so instead of what it says about the connection.
 * @param id of an element that is removed when the scripts run
 */
export const browserProbe = (id: string) => `(function () {
  function say() {
    var words = document.getElementById("${id}");
    if (words) words.textContent = "${tooOld}";
  }
  if (!("isWellFormed" in String.prototype && CSS.supports("selector(:has(a))"))) {
    document.documentElement.setAttribute("data-too-old", "");
    document.addEventListener("DOMContentLoaded", say);
  }
  addEventListener("error", function (event) {
    if (event.error instanceof SyntaxError) say();
  });
})();`;

/** Whether the probe has marked this document. */
export function isTooOld(): boolean {
  return document.documentElement.hasAttribute("data-too-old");
}
