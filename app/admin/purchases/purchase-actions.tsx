import { useState } from "react";
import type { AdminPurchase } from "#contract/admin/purchases.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useAddress } from "../lists/address.ts";
import { CancelSubscriptionDialog, HoldDialog, ReactivateBuyerDialog } from "./purchase-dialogs.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

const dialogs = {
  cancel: CancelSubscriptionDialog,
  hold: HoldDialog,
  reactivate: ReactivateBuyerDialog,
  refund: RefundDialog,
} as const;

/** What may be done with a purchase now, as the server says, and the way to what is behind it. */
export function PurchaseActions({ purchase, isOpen }: { purchase: AdminPurchase; isOpen?: boolean }) {
  const { write } = useAddress();
  const [asked, setAsked] = useState<keyof typeof dialogs | null>(null);
  const { may } = purchase;
  const Asked = asked && dialogs[asked];
  const action = (what: keyof typeof dialogs, label: string) => (
    <Button
      variant="quiet"
      size="small"
      className="px-2!"
      aria-label={`${label} of ${purchase.userName}`}
      onClick={() => setAsked(what)}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap items-center gap-1 @max-4xl:-ml-2 @4xl:w-64 @4xl:justify-end @min-[68rem]:w-auto @min-[68rem]:flex-nowrap">
      {may.cancelSubscription && action("cancel", "Cancel Subscription")}
      {may.hold && action("hold", "Hold Account")}
      {may.reactivate && action("reactivate", "Reactivate")}
      {may.refund && action("refund", "Refund")}
      {!isOpen && (
        <Button
          variant="outline"
          size="small"
          className="px-2.5!"
          aria-label={`Details of the purchase of ${purchase.userName}`}
          onClick={() => write({ purchase: purchase.id })}
        >
          Details
        </Button>
      )}
      {Asked && <Asked purchase={purchase} onClose={() => setAsked(null)} />}
    </div>
  );
}
