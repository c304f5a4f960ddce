/** All time zones that the browser knows, and the current one even if it is unknown, with their labels. */
export function zoneOptions(zone: string): (readonly [string, string])[] {
  const known = Intl.supportedValuesOf("timeZone");
  const names = known.includes(zone) ? known : [zone, ...known];
  return names.map((name) => [name, name.replaceAll("_", " ")] as const);
}
