/** 100000 → "100,000" */
export function formatCount(value: number): string {
  // The browser's first number format takes a phone 50 ms, and most counts need none.
  return value < 1000 ? String(value) : value.toLocaleString("en-US");
}

/** "1 charge", "1,204 charges", or with another plural "1,204 people" */
export function formatCountOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}

/** 24817 → "24.8 KB", with decimal units like file managers. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, name] = bytes < 999_950 ? [1000, "KB"] : bytes < 999_500_000 ? [1_000_000, "MB"] : [1_000_000_000, "GB"];
  const value = bytes / unit;
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${name}`;
}

/** 3 of 8 → "38%", 3 of 80 → "3.8%". "–" when the total is 0. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  return `${percent > 0 && percent < 9.95 ? percent.toFixed(1).replace(/\.0$/, "") : Math.round(percent)}%`;
}
