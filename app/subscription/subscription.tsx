import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { subscriptionQuery } from "#app/access/subscription-query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { StudentHeading, StudentOutline } from "#app/identity/student-heading.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";
import { defaultBlockReason } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import type { SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";
import { NothingRenews } from "./nothing-renews.tsx";
import { RenewalPanel } from "./renewal-panel.tsx";
import { accessWords } from "./subscription-words.ts";
import { Upgrades } from "./upgrades.tsx";

/** The membership page: the student's access, its end and source, its renewal, and how to change or cancel it. */
export default function SubscriptionPage() {
  const { user, isPending } = useCurrentUser();
  return (
    <StudentPage title="Your membership" description="Your plan, when it ends or renews, your card, and how to cancel.">
      {user ? (
        <SignedIn />
      ) : isPending ? (
        <StudentOutline page="subscription" />
      ) : (
        <div className="px-(--margin) pt-8">
          {user === null ? (
            <SignedOut returnTo={href.subscription()}>Sign in to see your membership.</SignedOut>
          ) : (
            <LoadFailed title="Your membership didn't load" />
          )}
        </div>
      )}
    </StudentPage>
  );
}

SubscriptionPage.queries = () => [subscriptionQuery, catalogueQuery];

function SignedIn() {
  const { data: overview, isPending, isFetching, refetch } = useQuery(subscriptionQuery);
  const catalogue = useQuery(catalogueQuery);
  const retry = () => Promise.all([refetch(), catalogue.refetch()]);
  if (isPending || catalogue.isPending) return <StudentOutline page="subscription" />;
  if (!overview || !catalogue.data) {
    return (
      <div className="px-(--margin) pt-8">
        <LoadFailed title="Your membership didn't load" isRetrying={isFetching || catalogue.isFetching} retry={retry} />
      </div>
    );
  }
  return (
    <div className="page-grid items-start gap-y-8">
      <StudentHeading page="subscription" />
      <div className="col-span-full grid gap-8 lg:col-span-7">
        <Access overview={overview} modules={catalogue.data} />
      </div>
      <div className="col-span-full lg:col-span-5 lg:row-span-2">
        {overview.subscription ? (
          <RenewalPanel subscription={overview.subscription} accountStatus={overview.accountStatus} />
        ) : (
          <NothingRenews overview={overview} />
        )}
      </div>
      {overview.access.tier && overview.accountStatus === "active" && !overview.chargesStopped && (
        <div className="col-span-full lg:col-span-7">
          <Upgrades owned={overview.access.tier} />
        </div>
      )}
    </div>
  );
}

/** Unknown states are shown as they are. */
const blockWords: Readonly<Record<string, string>> = { on_hold: "Account On Hold", suspended: "Account Suspended" };

function Access({
  overview: { access, accountStatus, suspensionReason, chargesStopped, subscription },
  modules,
}: {
  overview: SubscriptionOverview;
  modules: readonly Module[];
}) {
  const isBlocked = accountStatus !== "active";
  const [what, why] = accessWords(access, modules);
  return (
    <Card tone="raised">
      <section aria-labelledby="access-title" className="grid gap-5">
        <h2 id="access-title" className="font-bold text-heading">
          Your access
        </h2>
        <p>
          <span className="wide block text-title leading-tight">
            <NumberRanges text={what} />
          </span>{" "}
          {why && <span className="mt-3 block text-ink-soft text-lead">{why}</span>}
        </p>
        {isBlocked && (
          <div className="rounded-sm bg-danger-soft px-5 py-4">
            <p>
              <strong className="block text-danger">{blockWords[accountStatus] ?? accountStatus}</strong>
              {suspensionReason ?? defaultBlockReason}
            </p>
            <p className="mt-2 text-sm">You can't open the course until this is resolved.</p>
          </div>
        )}
        {chargesStopped && <p className="rounded-sm bg-danger-soft px-5 py-4">{chargesStopped}</p>}
        <p className="flex flex-wrap items-center gap-3">
          {access.tier && !isBlocked && (
            <Link to={href.dashboard()} className={buttonStyle({ variant: "outline" })}>
              Open the course
            </Link>
          )}
          {access.tier === null && !isBlocked && (
            <a href={href.pricing()} className={buttonStyle({ variant: "tag" })}>
              See the plans
            </a>
          )}
          {(accountStatus === "suspended" || subscription?.isHeldByAdministrator) && (
            <a href={href.contact()} className={buttonStyle({ variant: "outline" })}>
              Contact Support
            </a>
          )}
          {access.source === "grace" && <Badge tone="danger">Payment outstanding</Badge>}
        </p>
      </section>
    </Card>
  );
}
