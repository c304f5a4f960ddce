import { pricingNotes } from "#content/landing/sections.ts";
import type { PageClaims } from "#contract/page-facts.ts";
import { named } from "#ui/academy.ts";

/** What people ask with the card in their hand, under the three tags. */
export function PricingNotes({ claims: { withdrawn } }: { claims: PageClaims }) {
  return (
    <dl className="shelf-grid mt-16 gap-y-8 lg:mt-24">
      {pricingNotes.map(({ title, text, claim }) => (
        <div key={title} className="col-span-full border-rail-soft/40 border-t pt-5 md:col-span-4">
          <dt className="font-bold leading-snug">{named(title)}</dt>
          <dd className="mt-1.5 text-rail-soft text-sm leading-relaxed">
            {named(claim && withdrawn.includes(claim.claim) ? claim.withoutClaim : text)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
