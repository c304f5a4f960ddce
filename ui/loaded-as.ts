/** The address that this document was loaded as, whose content security policy it keeps for life. */
export const loadedAs = new URL(window.location.href);
