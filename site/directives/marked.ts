import type { ClientDirective } from "astro";

/** `client:marked="data-session"`: an island for documents whose root carries that attribute; nobody else fetches it. */
const marked: ClientDirective = (load, { value }) => {
  if (document.documentElement.hasAttribute(value)) load().then((hydrate) => hydrate());
};
export default marked;
