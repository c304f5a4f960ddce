/** The URL that this document was loaded from, whose content security policy it keeps for life. */
export const loadedAs = new URL(window.location.href);
