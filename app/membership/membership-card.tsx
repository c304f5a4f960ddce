import { useQuery } from "@tanstack/react-query";
import { PageLink } from "../navigation.tsx";
import { href } from "../routes.ts";
import { buttonStyle } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { membershipQuery } from "./membership-query.ts";
import { accessWords, renewalWords } from "./membership-words.ts";

/** On the profile: what one has and why in a sentence, and the way to the page that tells and does the rest. */
export function MembershipCard() {
  const { data: overview, isPending } = useQuery(membershipQuery);
  const membership = overview?.membership;
  return (
    <Card tone="raised">
      <section aria-labelledby="membership-title" aria-busy={isPending} className="grid justify-items-start gap-3">
        <h2 id="membership-title" className="font-bold text-heading">
          Your membership
        </h2>
        {overview ? (
          <>
            <p>{accessWords(overview.access).join(" ")}</p>
            {membership && membership.state !== "renewing" && (
              <p className="text-ink-soft text-sm">{renewalWords(membership, overview.accountStatus)}</p>
            )}
          </>
        ) : isPending ? (
          <Skeleton className="h-12 w-full" />
        ) : (
          <p className="text-ink-soft">It did not load. The page below has it.</p>
        )}
        <PageLink to={href.membership()} className={buttonStyle({ variant: "outline", size: "small" })}>
          Manage membership
        </PageLink>
      </section>
    </Card>
  );
}
