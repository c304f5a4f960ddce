/** Folders of the server, or patterns of several. */
export const domains: readonly string[];
