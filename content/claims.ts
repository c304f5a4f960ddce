import { communityMembers } from "./communities/members.ts";
import { courseMaterials, faq, instructor, testimonials, trustStrip } from "./landing/sections.ts";

/** Something that pages state by what stands in `content/`. */
export interface StatedClaim {
  id: string;
  text: string;
  /** Where a reader finds it. */
  where: string;
}

/** The words on a plan that is marked as the most popular. */
export const mostPopular = "Most Popular";

const landing = (part: string) => `Landing page, ${part}`;

export const statedClaims: readonly StatedClaim[] = [
  ...trustStrip.map(({ claim, value, label }) => ({
    id: claim,
    text: `${value} ${label}`,
    where: landing("strip below the first screen"),
  })),
  {
    id: instructor.claim,
    text: `${instructor.name}, ${instructor.role}: ${instructor.bio.join(" ")}`,
    where: landing("instructor"),
  },
  ...testimonials.map(({ claim, name, detail, quote }) => ({
    id: claim,
    text: `“${quote}” ${name}, ${detail}`,
    where: landing("reviews"),
  })),
  ...courseMaterials.flatMap(({ title, detail, availability }) =>
    availability
      ? [{ id: availability.claim, text: `${title}: ${availability.label}. ${detail}`, where: landing("packing slip") }]
      : [],
  ),
  ...faq.flatMap(({ answer, claim }) =>
    claim ? [{ id: claim.claim, text: answer, where: landing("prices, questions and structured data") }] : [],
  ),
  { id: communityMembers.claim, text: communityMembers.sentence, where: "Course access" },
];

/** What pages state once the claims of these ids are taken off. */
export function claimsOnPages(withdrawn: readonly string[], plans: readonly { popular: boolean }[]) {
  const stands = ({ claim }: { claim: string }) => !withdrawn.includes(claim);
  const { count, members, sentence } = communityMembers;
  return {
    withdrawn: [...withdrawn],
    hasInstructor: stands(instructor),
    hasReviews: testimonials.some(stands),
    mostPopular: plans.some(({ popular }) => popular) ? mostPopular : null,
    community: stands(communityMembers) ? { count, members, sentence } : null,
  };
}
