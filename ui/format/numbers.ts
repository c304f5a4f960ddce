/** 100000 → "100,000" */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** 24817 → "24.8 KB", as file managers say it. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, name] = bytes < 999_950 ? [1000, "KB"] : [1_000_000, "MB"];
  const value = bytes / unit;
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${name}`;
}
