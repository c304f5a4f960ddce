/** Refuses years that ISO dates can express but the database cannot store. */
export function isInCalendar(isoText: string): boolean {
  return /^2[01]\d\d-/.test(isoText);
}
