/** An instant as `datetime-local` fields write it, where the browser is. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A day as `date` fields write it, where the browser is. */
export function toLocalDay(instant: Date): string {
  return toLocal(instant.toISOString()).slice(0, 10);
}

/** What a `datetime-local` field says as an instant; null while it says none. */
export function fromLocal(local: string): string | null {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
