import { communityMembers } from "./communities/members.ts";

/** The words on a plan that is marked as the most popular. */
export const mostPopular = "Most Popular";

/** What a page of the students states. */
export const communityClaim = {
  id: communityMembers.claim,
  text: communityMembers.sentence,
  where: "Course access",
} as const;

/** What pages state once the claims of these ids are taken off. */
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
