/** Years beyond any calendar are refused before anything computes with them: the database ends where dates in text do not. */
export function isInCalendar(isoText: string): boolean {
  return /^2[01]\d\d-/.test(isoText);
}
