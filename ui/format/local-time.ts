/** An instant as the value of a `datetime-local` field, in the browser's time zone. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
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
