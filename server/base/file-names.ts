const maxNameLength = 150;

/**
 * Removes paths, control characters and bidirectional overrides, and shortens to 150 characters with the extension.
 * Empty when nothing is left.
 */
export function cleanFileName(name: string): string {
  const clean = (name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}]/gu, "")
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/gu, "");
  const characters = [...clean];
  if (characters.length <= maxNameLength) return clean;
  const extension = /\.[a-z]{1,5}$/i.exec(clean)?.[0] ?? "";
  return `${characters.slice(0, maxNameLength - extension.length).join("")}${extension}`;
}
