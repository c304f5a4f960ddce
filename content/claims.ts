import { communityMembers } from "./communities/members.ts";

/** The label of the most popular plan. */
export const mostPopular = "Most Popular";

/** The claim on a page for students. */
export const communityClaim = {
  id: communityMembers.claim,
  text: communityMembers.sentence,
  where: "Course access",
} as const;

/** What pages state after the claims with these ids have been withdrawn. */
export function claimsOnPages(
  withdrawn: readonly string[],
  plans: readonly { popular: boolean }[],
  copy: { readonly testimonials: { readonly testimonials: readonly { id: string }[] } },
) {
  const stands = (id: string) => !withdrawn.includes(id);
  const { count, members, sentence } = communityMembers;
  return {
    withdrawn: [...withdrawn],
    hasInstructor: stands("instructor"),
    hasReviews: copy.testimonials.testimonials.some(({ id }) => stands(id)),
    mostPopular: plans.some(({ popular }) => popular) ? mostPopular : null,
    community: stands(communityMembers.claim) ? { count, members, sentence } : null,
  };
}
