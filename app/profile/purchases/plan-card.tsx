import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { purchasesQuery } from "#app/access/purchases-query.ts";
import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { planInForce, renewalWords } from "./purchase-words.ts";

/** The current plan, its end, a block if there is one, and a link to the membership page. */
export function PlanCard() {
  const access = useQuery(courseAccessQuery);
  const purchases = useQuery(purchasesQuery);
  const isPending = access.isPending || purchases.isPending;

  function retry(): void {
    for (const query of [access, purchases]) if (!query.data) query.refetch();
  }

  return (
    <Card tone="raised">
      <section aria-labelledby="plan-title" aria-busy={isPending}>
        <h2 id="plan-title" className="font-bold text-heading">
          Your plan
        </h2>
        {access.data && purchases.data ? (
          <Plan access={access.data} purchases={purchases.data} />
        ) : isPending ? (
          <PartLoading what="your plan" className="mt-4 h-16" />
        ) : (
          <PartFailed what="your plan" retry={retry} isRetrying={access.isFetching || purchases.isFetching} />
        )}
      </section>
    </Card>
  );
}

function Plan({ access, purchases }: { access: CourseAccess; purchases: readonly Purchase[] }) {
  const { label, lasts, purchase } = planInForce(access, purchases);
  const renewal = purchase && renewalWords(purchase);
  return (
    <div className="mt-4 grid justify-items-start gap-3">
      <Badge tone={access.tier ? "tag" : "plain"} className="text-sm">
        {label}
      </Badge>
      {lasts ? (
        <p>
          {lasts}
          {renewal && <span className="block text-ink-soft text-sm">{renewal}</span>}
        </p>
      ) : access.accountStatus !== "active" ? null : (
        <>
          <p className="text-ink-soft">Choose any of the three plans to open the course.</p>
          <a href={href.pricing()} className={buttonStyle({ variant: "tag" })}>
            See the plans
          </a>
        </>
      )}
      <Blocked access={access} />
      {(access.tier || purchases.length > 0) && (
        <Link to={href.subscription()} className={buttonStyle({ variant: "outline", size: "small" })}>
          Manage membership
        </Link>
      )}
    </div>
  );
}

/** Unknown states are shown as they are. */
const blockWords: Readonly<Record<string, string>> = { on_hold: "Account On Hold", suspended: "Account Suspended" };

function Blocked({ access: { accountStatus, suspensionReason } }: { access: CourseAccess }) {
  if (accountStatus === "active") return null;
  return (
    <p className="w-full rounded-sm bg-danger-soft px-4 py-3 text-sm">
      <strong className="block text-danger">{blockWords[accountStatus] ?? accountStatus}</strong>
      {suspensionReason ?? defaultBlockReason}
    </p>
  );
}
