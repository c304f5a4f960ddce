/** http(s), mailto and tel URLs, and our own paths; never a script. */
export function isSafeAddress(address: string): boolean {
  if (/^(mailto|tel):./i.test(address)) return true;
  // Browsers treat backslashes as slashes, so two of them begin another host. The parser encodes them.
  if (/^[/#]/.test(address)) return !/^\/([/\\]|%5c)/i.test(address);
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

/**
 * Whether all links of a text have an allowed URL. It tells an author about a mistake: pages decide by `isSafeAddress`,
 * and show every other link as text.
 */
export function hasSafeLinks(text: string): boolean {
  return [...text.matchAll(/(?<!\\)\[[^[\]\n]{1,200}\]\(([^()\s]{1,500})\)/g)].every(([, address = ""]) =>
    isSafeAddress(address),
  );
}

export const unsafeLinks = "Links begin with https://, http://, mailto:, tel:, / or #";
