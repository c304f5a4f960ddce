/** 24817 → "24.8 KB", as file managers say it. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, name] = bytes < 999_950 ? [1000, "KB"] : [1_000_000, "MB"];
  const value = bytes / unit;
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${name}`;
}

/** "Buy sheet.xlsx" → "XLSX" */
export function extensionOf(fileName: string): string {
  return (/\.([a-z]+)$/i.exec(fileName)?.[1] ?? "file").toUpperCase();
}
