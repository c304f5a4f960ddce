import type { ClientDirective } from "astro";

/**
 * `client:marked="data-session"`: hydrates the island only if the root element has this attribute. Others load nothing.
 */
const marked: ClientDirective = (load, { value }) => {
  if (document.documentElement.hasAttribute(value)) load().then((hydrate) => hydrate());
};
export default marked;
