import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { purchasesQuery } from "./purchases-query.ts";

// If this chunk fails to load, the page renders without it, because the membership page shows the same.
const DeclinedRenewal = lazy(() => import("./declined-renewal.tsx").catch(() => ({ default: () => null })));

/** Warns above the course while a declined renewal is in its grace period. Renders nothing otherwise. */
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
