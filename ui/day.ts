/** "2026-11-21T11:00:00.000Z" → "November 21, 2026", where the reader is. */
export function formatDay(iso: string): string {
  // The browser takes long to make a format: no page makes one before it shows a day.
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "long" });
}
