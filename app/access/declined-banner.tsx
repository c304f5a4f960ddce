import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { purchasesQuery } from "./purchases-query.ts";

// Where its code cannot be fetched, the page stands without it: the membership's page says the same.
const DeclinedRenewal = lazy(() => import("./declined-renewal.tsx").catch(() => ({ default: () => null })));

/** Above the course while a renewal is declined and the course is kept open; nothing otherwise. */
export function DeclinedBanner() {
  const { user } = useCurrentUser();
  const { data: purchases } = useQuery({ ...purchasesQuery, enabled: Boolean(user) });
  if (!purchases?.some(({ paymentDeclined }) => paymentDeclined)) return null;
  return (
    <Suspense>
      <DeclinedRenewal />
    </Suspense>
  );
}
