import { communityMembers } from "./communities/members.ts";

/** The label of the most popular plan. */
export const mostPopular = "Most Popular";

/** The claim on a page for students. */
export const communityClaim = {
  id: communityMembers.claim,
  text: communityMembers.sentence,
  where: "Course access",
} as const;

/** What pages state after the claims with these ids have been withdrawn. @param copy without these claims */
export function claimsOnPages(
  withdrawn: readonly string[],
  plans: readonly { popular: boolean }[],
  copy: {
    readonly sections: readonly string[];
    readonly instructor: object | null;
    readonly testimonials: { readonly testimonials: readonly object[] };
  },
) {
  const stands = (id: string) => !withdrawn.includes(id);
  const { count, members, sentence } = communityMembers;
  return {
    withdrawn: [...withdrawn],
    hasCourse: copy.sections.includes("topics"),
    hasInstructor: copy.instructor !== null,
    hasReviews: copy.sections.includes("testimonials") && copy.testimonials.testimonials.length > 0,
    hasQuestions: copy.sections.includes("questions"),
    mostPopular: plans.some(({ popular }) => popular) ? mostPopular : null,
    community: stands(communityMembers.claim) ? { count, members, sentence } : null,
  };
}
