import type { ClientDirective } from "astro";

/**
 * `client:marked="data-session"`: hydrates the island once the root element has this attribute. Others load nothing.
 */
const marked: ClientDirective = (load, { value }) => {
  const root = document.documentElement;
  const observer = new MutationObserver(hydrate);
  function hydrate() {
    if (!root.hasAttribute(value)) return;
    observer.disconnect();
    load().then((begin) => begin());
  }
  observer.observe(root, { attributeFilter: [value] });
  hydrate();
};
export default marked;
