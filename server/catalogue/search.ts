import type { Cue } from "#contract/captions.ts";
import type { MarkedText, SearchHit } from "#contract/catalogue.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { isComingSoon } from "./catalogue.ts";
import { type FoundLesson, findCuesByWords, findLessonsByWords, matchMarks } from "./queries.ts";

const maximumHits = 20;
/** More words do not improve a search, and each takes time. */
const maximumWords = 8;

/** Searches lessons by relevance. Captions of a locked lesson match, but are not shown. @param tier null: none */
export async function searchLessons(ctx: Context, tier: Tier | null, typed: string): Promise<SearchHit[]> {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  return (await findLessonsByWords(ctx.db, words, maximumHits)).map((found) =>
    presentHit(found, tier, ctx.clock.now()),
  );
}

/** Where a lesson's captions speak of what is typed, the best first. The caller decides who may read them. */
export async function searchCues(db: Db, lessonId: string, typed: string, limit: number): Promise<Cue[]> {
  const words = longWordsOf(typed);
  return words.length > 0 ? findCuesByWords(db, lessonId, words, limit) : [];
}

/** For searches of any word, which short ones, such as "a", would match with everything. */
export function longWordsOf(typed: string): string[] {
  return wordsOf(typed, maximumWords * 2).filter((word) => word.length > 2);
}

function presentHit(
  { lesson, module, title, description, said }: FoundLesson,
  tier: Tier | null,
  now: Date,
): SearchHit {
  const isUnlocked = lesson.freePreview || tierOpens(tier, module.requiredTier);
  const comingSoon = isComingSoon(lesson, module, now);
  const shown =
    isUnlocked && !comingSoon && said ? { text: said.text, at: said.startsAt / 1000 } : { text: description, at: null };
  return {
    lessonId: lesson.id,
    title: splitMarks(title),
    moduleId: module.id,
    moduleTitle: module.title,
    modulePosition: module.position,
    requiredTier: module.requiredTier,
    isUnlocked,
    comingSoon,
    snippet: splitMarks(shown.text),
    at: shown.at,
  };
}

/** Of letters and digits only. */
export function wordsOf(typed: string, maximum = maximumWords): string[] {
  const words = typed.toLowerCase().match(/\d+(?:\.\d+)+|[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, maximum);
}

const { before, after } = matchMarks;
const match = new RegExp(`${before}+([^${after}]*)${after}+`);

function splitMarks(marked: string): MarkedText {
  // Splitting by a pattern with a group yields text and matches in turn.
  return marked.split(match).flatMap((text, at) => (text ? [{ text, isMatch: at % 2 === 1 }] : []));
}
