/** An instant as the value of a `datetime-local` field, in the browser's time zone. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  // The zone's offset is no help: before 1900, many have seconds.
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())];
  return `${day.join("-")}T${padded(date.getHours())}:${padded(date.getMinutes())}`;
}

function padded(number: number, digits = 2): string {
  return String(number).padStart(digits, "0");
}

/** A day as the value of a `date` field, in the browser's time zone. */
export function toLocalDay(instant: Date): string {
  return toLocal(instant.toISOString()).slice(0, 10);
}

/** The instant in a `datetime-local` field. Null while the field is empty or invalid. */
export function fromLocal(local: string): string | null {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
