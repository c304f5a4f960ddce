import { type ResourceFormat, resourceFormats } from "#contract/resources.ts";

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

export function formatOfName(cleanName: string): ResourceFormat | null {
  const extension = /.\.([a-z]+)$/i.exec(cleanName)?.[1]?.toLowerCase();
  return resourceFormats.find((format) => format === extension) ?? null;
}

export function titlesFor(title: string, fileNames: readonly string[]): string[] {
  return fileNames.length === 1 ? [title] : fileNames.map((name) => `${title}: ${name}`.slice(0, 200));
}

export const mimeTypes: Readonly<Record<ResourceFormat, string>> = {
  pdf: "application/pdf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  doc: "application/msword",
  zip: "application/zip",
  rar: "application/vnd.rar",
};
