/** All time zones that the browser knows, and the current one even if it is unknown. */
export function ZoneOptions({ zone }: { zone: string }) {
  const known = Intl.supportedValuesOf("timeZone");
  const names = known.includes(zone) ? known : [zone, ...known];
  return names.map((name) => (
    <option key={name} value={name}>
      {name.replaceAll("_", " ")}
    </option>
  ));
}
