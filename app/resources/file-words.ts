/** "Buy sheet.xlsx" → "XLSX" */
export function extensionOf(fileName: string): string {
  return (/\.([a-z]+)$/i.exec(fileName)?.[1] ?? "file").toUpperCase();
}
