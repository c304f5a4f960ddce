import { cx } from "class-variance-authority";
import { useResumable } from "#app/identity/resumable.ts";
import type { AdminPurchase } from "#contract/admin/purchases.ts";
import { Button } from "#ui/controls/button.tsx";
import { HoldDialog, ReactivateDialog } from "../account-dialogs.tsx";
import { useAddress } from "../address.ts";
import { openerId } from "../row-focus.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { DisputeDialog } from "./dispute-dialog.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

type Asked = "cancel" | "hold" | "reactivate" | "refund" | "dispute";

/** The actions that the server allows for a purchase now, and a link to its details. */
export function PurchaseActions({ purchase, isOpen }: { purchase: AdminPurchase; isOpen?: boolean }) {
  const { write } = useAddress();
  const [asked, setAsked] = useResumable<Asked | null>(`purchase ${purchase.id}`, null);
  const { may, userName } = purchase;
  const action = (what: Asked, label: string, to: string) => (
    <Button variant="quiet" size="small" className="px-2!" aria-label={`${label} ${to}`} onClick={() => setAsked(what)}>
      {label}
    </Button>
  );
  return (
    <div className={cx("flex flex-wrap items-center gap-1 @max-4xl:-ml-2 @4xl:justify-end", !isOpen && "@4xl:w-64")}>
      {may.cancelSubscription && action("cancel", "Cancel Subscription", `of ${userName}`)}
      {may.hold && action("hold", "Hold Account", `of ${userName}`)}
      {may.reactivate && action("reactivate", "Reactivate", userName)}
      {may.refund && action("refund", "Refund", userName)}
      {isOpen && may.refund && action("dispute", "Record Dispute", `of ${userName}`)}
      {!isOpen && (
        <Button
          variant="outline"
          size="small"
          className="px-2.5! @max-4xl:ml-2"
          id={openerId(purchase.id)}
          aria-label={`Details of the purchase of ${userName}`}
          onClick={() => write({ purchase: purchase.id })}
        >
          Details
        </Button>
      )}
      {asked && <AskedDialog asked={asked} purchase={purchase} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface AskedDialogProps {
  asked: Asked;
  purchase: AdminPurchase;
  onClose: () => void;
}

function AskedDialog({ asked, purchase, onClose }: AskedDialogProps) {
  const { userId, userName: name, subscriptionId } = purchase;
  switch (asked) {
    case "cancel":
      return <CancelDialog purchase={purchase} onClose={onClose} />;
    case "hold":
      return <HoldDialog userId={userId} name={name} subscriptionId={subscriptionId ?? ""} onClose={onClose} />;
    case "reactivate":
      return <ReactivateDialog userId={userId} name={name} onClose={onClose} />;
    case "refund":
      return <RefundDialog purchase={purchase} onClose={onClose} />;
    case "dispute":
      return <DisputeDialog purchase={purchase} onClose={onClose} />;
  }
}
