import { type ResourceFormat, resourceFormats } from "#contract/resources.ts";

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
