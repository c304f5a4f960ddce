import type { Certificate } from "#contract/certificates.ts";
import { formatDay } from "#server/base/dates.ts";
import { codeInGroups } from "./codes.ts";

/** What the PDF and the page say beside the name and the modules. */
export function factsInWords(certificate: Certificate): [label: string, value: string][] {
  const { issuedAt, timeZone, lessons, checks, secondsWatched, catalogueVersion, code } = certificate;
  return [
    ["Issued", formatDay(issuedAt, timeZone)],
    ["Lessons", `${lessons} completed`],
    ...(checks > 0 ? ([["Checks", `${checks} passed`]] as [string, string][]) : []),
    ["Watched", watchedInWords(secondsWatched)],
    ["Course", `Version ${catalogueVersion}`],
    ["Code", codeInGroups(code)],
  ];
}

function watchedInWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes < 1) return "Under a minute";
  return [...(hours > 0 ? [inWords(hours, "hour")] : []), ...(rest > 0 ? [inWords(rest, "minute")] : [])].join(" ");
}

export function inWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
