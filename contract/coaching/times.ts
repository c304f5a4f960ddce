/** At most 20 formats of some kilobytes. Each takes a phone several milliseconds, and a page shows dozens of times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown zone */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, options]);
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", { ...options, timeZone });
  if (formats.size >= 20) formats.clear();
  formats.set(key, format);
  return format;
}

const clock = { hour: "numeric", minute: "2-digit" } as const;

/** Whether the engine knows the IANA name. An offset such as +05:00 is none. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    formatIn(name, clock);
    return true;
  } catch {
    return false;
  }
}

/** UTC instead of a zone that the engine does not know: browsers can fail to tell their own, and zones can be newer. */
export function knownZone(name: string | null): string {
  return name !== null && isTimeZone(name) ? name : "UTC";
}

/**
 * An instant in a time zone: "Tuesday, March 9, 2:00 PM EST (New York)". Has the year unless it is that of `now`, and
 * the place unless the zone's abbreviation is the same.
 */
export function timeInZone(instant: Date | string, zone: string, now?: Date): string {
  const date = new Date(instant);
  const timeZone = knownZone(zone);
  const yearOf = (when: Date) => formatIn(timeZone, { year: "numeric" }).format(when);
  const words = formatIn(timeZone, {
    ...{ weekday: "long", month: "long", day: "numeric" },
    ...((!now || yearOf(now) !== yearOf(date)) && { year: "numeric" }),
    ...clock,
    timeZoneName: "short",
  });
  const said = plain(words.format(date)).replace(" at ", ", ");
  const city = cityOf(timeZone);
  return said.endsWith(city) ? said : `${said} (${city})`;
}

/** "Tuesday, March 9, 2027, 2:00 PM EST (New York, your time) · 8:00 PM for Dana in Berlin" */
export function timeForBoth(
  instant: Date | string,
  ownZone: string,
  other: { readonly name: string; readonly timeZone: string },
  now?: Date,
): string {
  const own = timeInZone(instant, ownZone, now);
  const marked = own.endsWith(")") ? own.replace(/\)$/, ", your time)") : `${own} (your time)`;
  return `${marked} · ${timeForOther(instant, other, ownZone)}`;
}

/** "8:00 PM" */
export function clockInZone(instant: Date | string, timeZone: string): string {
  return plain(formatIn(knownZone(timeZone), clock).format(new Date(instant)));
}

/** "Tuesday, March 9" */
export function dayInZone(instant: Date | string, zone: string): string {
  return dayFormat(zone).format(new Date(instant));
}

/** The format of `dayInZone`, for many instants. The short one is "Tue, Mar 9". */
export function dayFormat(zone: string, length: "long" | "short" = "long"): Intl.DateTimeFormat {
  return formatIn(knownZone(zone), { weekday: length, month: length, day: "numeric" });
}

/** "8:00 PM for Dana in Berlin", with the day where it differs. */
function timeForOther(
  instant: Date | string,
  other: { readonly name: string; readonly timeZone: string },
  ownZone: string,
): string {
  const isOtherDay = dayInZone(instant, other.timeZone) !== dayInZone(instant, ownZone);
  const clock = clockInZone(instant, other.timeZone);
  const time = isOtherDay ? `${dayInZone(instant, other.timeZone)}, ${clock}` : clock;
  return `${time} for ${other.name} in ${cityOf(other.timeZone)}`;
}

/** "America/Argentina/Buenos_Aires" → "Buenos Aires" */
export function cityOf(timeZone: string): string {
  const zone = knownZone(timeZone);
  const city = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
  return renamed[city] ?? city;
}

/** Zones that browsers still report by their old name. */
const renamed: Readonly<Record<string, string>> = {
  Asmera: "Asmara",
  Calcutta: "Kolkata",
  Faeroe: "Faroe",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Ponape: "Pohnpei",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh",
  Truk: "Chuuk",
};

/** Intl puts a narrow no-break space before AM, which mail programs and searches do not expect. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}
