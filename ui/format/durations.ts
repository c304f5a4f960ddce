/** Watch time in hours with one decimal, rounded down: 0 → "0 h", 100 → "<0.1 h", 5400 → "1.5 h". */
export function formatWatchHours(seconds: number): string {
  if (seconds <= 0) return "0 h";
  const tenths = Math.floor(seconds / 360);
  return tenths === 0 ? "<0.1 h" : `${tenths / 10} h`;
}

/** Watch time in whole minutes, rounded down: 0 → "0 min", 41 → "under 1 min", 150 → "2 min". */
export function formatWatchTime(seconds: number): string {
  return seconds > 0 && seconds < 60 ? "under 1 min" : formatMinutes(Math.floor(seconds / 60));
}

/** How long something took, roughly: 600 → "10 minutes", 9000 → "3 hours", 200000 → "2 days". */
export function formatWait(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds >= 1.5 * length) ?? units[2];
  const count = Math.max(1, Math.round(seconds / length));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

function formatMinutes(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
