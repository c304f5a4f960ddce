import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { optional } from "#ui/feedback/optional.ts";
import { purchasesQuery } from "./purchases-query.ts";

// The membership page shows the same.
const DeclinedRenewal = optional(() => import("./declined-renewal.tsx"));

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
