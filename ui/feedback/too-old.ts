import { supportedBrowsers } from "#content/browsers.ts";

const tooOld = `This browser is too old. The academy needs ${supportedBrowsers}.`;

/**
 * A script for any browser, before all others. It marks documents in browsers that lack one of two features, whose first
 * versions are the oldest supported ones (test/browsers.integration.test.ts), with a sentence for PageFailed. There, and
 * where a script cannot be parsed, the element has that sentence instead of the one about the connection.
 * @param id of an element that is removed when the scripts run
 */
export const browserProbe = (id: string) => `(function () {
  var sentence = "${tooOld}";
  function say() {
    var words = document.getElementById("${id}");
    if (words) words.textContent = sentence;
  }
  if (!("isWellFormed" in String.prototype && CSS.supports("selector(:has(a))"))) {
    document.documentElement.setAttribute("data-too-old", sentence);
    document.addEventListener("DOMContentLoaded", say);
  }
  addEventListener("error", function (event) {
    if (event.error instanceof SyntaxError) say();
  });
})();`;
