import { faq } from "#content/landing/sections.ts";
import type { PageClaims } from "#contract/page-facts.ts";
import { named } from "#ui/academy.ts";

/** The questions with their answers, without the claims that were taken off. */
export function questionsOf({ withdrawn }: PageClaims): { id: string; question: string; answer: string }[] {
  return faq.map(({ id, question, answer, claim }) => ({
    id,
    question,
    answer: named(claim && withdrawn.includes(claim.claim) ? claim.withoutClaim : answer),
  }));
}
