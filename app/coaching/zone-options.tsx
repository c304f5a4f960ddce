/** Every time zone that this browser knows, and the one at hand should it be none of them. */
export function ZoneOptions({ zone }: { zone: string }) {
  const known = Intl.supportedValuesOf("timeZone");
  const names = known.includes(zone) ? known : [zone, ...known];
  return names.map((name) => (
    <option key={name} value={name}>
      {name.replaceAll("_", " ")}
    </option>
  ));
}
