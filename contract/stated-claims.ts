import type { AcademyCopy, CopyOnPages, LandingSection } from "./copy.ts";
import { plainText } from "./markup.ts";

/** A claim of the academy's copy about people or results. */
export interface StatedClaim {
  readonly id: string;
  readonly text: string;
  /** Its place on the pages. */
  readonly where: string;
}

/** The landing page's sections that are on, in their order. */
function shownSections({ sections: { sections } }: Pick<AcademyCopy, "sections">): LandingSection[] {
  return sections.filter(({ isShown }) => isShown).map(({ id }) => id);
}

/** In the order of the pages, without sections that are not shown. A claim in two places is listed once. */
export function claimsIn(copy: AcademyCopy): StatedClaim[] {
  const { instructor } = copy;
  const shown = shownSections(copy);
  const within = (section: LandingSection, claims: StatedClaim[]) => (shown.includes(section) ? claims : []);
  const claims = [
    ...copy.hero.trust.map(({ id, value, label }) => ({
      id,
      text: `${value} ${label}`,
      where: "Landing page, strip below the first screen",
    })),
    ...within("instructor", [
      {
        id: "instructor",
        text: `${instructor.name}, ${instructor.role}: ${plainText(instructor.bio)}`,
        where: "Landing page, instructor",
      },
    ]),
    ...within(
      "testimonials",
      copy.testimonials.testimonials.map(({ id, name, detail, quote }) => ({
        id,
        text: `“${quote}” ${name}, ${detail}`,
        where: "Landing page, reviews",
      })),
    ),
    ...within(
      "materials",
      copy.materials.materials.flatMap(({ title, detail, availability }) =>
        availability
          ? [
              {
                id: availability.id,
                text: `${title}: ${availableSince(availability.since)}. ${detail}`,
                where: "Landing page, what is included",
              },
            ]
          : [],
      ),
    ),
    ...within(
      "questions",
      copy.questions.questions.flatMap(({ answer, claim }) =>
        claim
          ? [{ id: claim.id, text: plainText(answer), where: "Landing page, prices, questions and structured data" }]
          : [],
      ),
    ),
    ...copy.pricing.notes.flatMap(({ text, claim }) =>
      claim ? [{ id: claim.id, text, where: "Landing page, prices" }] : [],
    ),
  ];
  return claims.filter(({ id }, at) => claims.findIndex((claim) => claim.id === id) === at);
}

/** "2025-09" → "Available 9/25" */
function availableSince(month: string): string {
  return `Available ${Number(month.slice(5))}/${month.slice(2, 4)}`;
}

interface Said {
  /** Ids of removed claims. */
  readonly withdrawn: readonly string[];
  /** The days on which the legal texts were published. */
  readonly lastUpdated: { readonly terms: string; readonly privacy: string };
}

/** The academy's copy as pages show it. */
export function copyOnPages({ footer: _, ...copy }: AcademyCopy, { withdrawn, lastUpdated }: Said): CopyOnPages {
  const stands = ({ id }: { id: string }) => !withdrawn.includes(id);
  const sections = shownSections(copy);
  return {
    ...copy,
    sections,
    hero: { ...copy.hero, trust: copy.hero.trust.filter(stands) },
    instructor: sections.includes("instructor") && stands({ id: "instructor" }) ? copy.instructor : null,
    testimonials: { ...copy.testimonials, testimonials: copy.testimonials.testimonials.filter(stands) },
    materials: {
      ...copy.materials,
      materials: copy.materials.materials.map(({ title, detail, availability }) => {
        if (!availability) return { title, detail, since: null };
        return stands(availability)
          ? { title, detail, since: availableSince(availability.since) }
          : { title, detail: availability.withoutClaim, since: null };
      }),
    },
    pricing: {
      ...copy.pricing,
      notes: copy.pricing.notes.map(({ title, text, claim }) => ({
        title,
        text: claim && !stands(claim) ? claim.withoutClaim : text,
      })),
    },
    questions: {
      ...copy.questions,
      questions: copy.questions.questions.map(({ id, question, answer, claim }) => ({
        id,
        question,
        answer: claim && !stands(claim) ? claim.withoutClaim : answer,
      })),
    },
    terms: { ...copy.terms, lastUpdated: lastUpdated.terms },
    privacy: { ...copy.privacy, lastUpdated: lastUpdated.privacy },
  };
}
