/** All time zones that the browser knows, UTC, and the current one even if it is unknown, with their labels. */
export function zoneOptions(zone: string): (readonly [string, string])[] {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", zone]);
  return [...names].toSorted().map((name) => [name, name.replaceAll("_", " ")] as const);
}
