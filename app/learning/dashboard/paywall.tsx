import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { isBlocked } from "#app/access/is-blocked.ts";
import { pendingPurchase, purchasesQuery } from "#app/access/purchases-query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import type { CourseAccess } from "#contract/access.ts";
import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import { late } from "#ui/feedback/late.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { InsteadOfCourse } from "../course-frame.tsx";
import { CourseLoading } from "../course-loading.tsx";

const [AccountBlocked] = late("your account", () => import("#app/access/account-blocked.tsx"));
const [SecondFactorRequired] = late("your account", async () => {
  const { SecondFactorRequired } = await import("#app/identity/second-factor.tsx");
  return { default: SecondFactorRequired };
});
const [PaymentRequired] = late("what is on sale", () => import("./payment-required.tsx"));

/** Renders the course for those who may use it. Explains to everybody else why it is closed and what to do. */
export function Paywall({ children }: { children: (access: CourseAccess) => ReactNode }) {
  const { data: access, isPending } = useQuery(courseAccessQuery);
  const { user } = useCurrentUser();
  const isConfirming = usePaymentBeingConfirmed();
  if (isPending) return <CourseLoading />;
  if (!access) return <LoadFailed title="Error">Unable to verify course access. Please try again.</LoadFailed>;
  if (isBlocked(access) || !access.hasAccess) {
    return (
      <Suspense fallback={<CourseLoading />}>
        <InsteadOfCourse>
          {isBlocked(access) ? (
            <AccountBlocked access={access} />
          ) : user?.needsSecondFactor ? (
            <SecondFactorRequired user={user} />
          ) : isConfirming ? (
            <NotYet />
          ) : (
            <PaymentRequired />
          )}
        </InsteadOfCourse>
      </Suspense>
    );
  }
  return (
    <>
      {isConfirming && (
        <p role="status" className="mb-6 rounded-sm bg-kraft-soft px-5 py-4">
          {paymentBeingConfirmed}
        </p>
      )}
      {children(access)}
    </>
  );
}

const pollMilliseconds = 3000;

/** Whether the newest payment is still unconfirmed. While it is, the page polls, so that the course opens by itself. */
function usePaymentBeingConfirmed(): boolean {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    ...purchasesQuery,
    refetchInterval: ({ state }) => (state.data && pendingPurchase(state.data) ? pollMilliseconds : false),
  });
  const isPending = data !== undefined && pendingPurchase(data) !== null;
  useEffect(() => {
    if (!isPending) return;
    return () => {
      queryClient.invalidateQueries({ queryKey: courseAccessQuery.queryKey });
    };
  }, [isPending, queryClient]);
  return isPending;
}

function NotYet() {
  return (
    <StateCard level={1} tone="loading" title="One moment">
      <p>{paymentBeingConfirmed}</p>
      <p>Your course will open here as soon as we’ve confirmed your payment.</p>
    </StateCard>
  );
}
