import type { LessonContent } from "#contract/admin/content.ts";
import { defaultLanguage, languageName } from "#contract/languages.ts";

export interface Captions {
  language: string;
  /** WebVTT. */
  captions: string;
}

type CaptionFields = Pick<LessonContent, "captions" | "captionsLanguage" | "otherCaptions">;

/** The default language first. */
export function captionsOf({ captions, captionsLanguage, otherCaptions }: CaptionFields): Captions[] {
  return captions === null ? otherCaptions : [{ language: captionsLanguage, captions }, ...otherCaptions];
}

export function captionFields([first, ...otherCaptions]: readonly Captions[]): CaptionFields {
  return { captions: first?.captions ?? null, captionsLanguage: first?.language ?? defaultLanguage, otherCaptions };
}

export function hasSameCaptions(one: CaptionFields, other: CaptionFields): boolean {
  return JSON.stringify(captionsOf(one)) === JSON.stringify(captionsOf(other));
}

/** The languages that are offered for captions, besides those that a lesson has. */
const offered =
  "ar bg bn ca cs da de el en en-GB en-US es es-419 et fa fi fil fr fr-CA gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl pa pl pt pt-BR ro ru sk sl sr sv sw ta te th tr uk ur vi zh-Hans zh-Hant";

/** Tags with their names in English, in the order of the names. */
export function languagesExcept(taken: readonly string[]): (readonly [string, string])[] {
  return offered
    .split(" ")
    .filter((tag) => !taken.includes(tag))
    .map((tag) => [tag, languageName(tag)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, "en"));
}
