/** Each a folder of the server, or a pattern of several. */
export const domains: readonly string[];
