import { cx } from "class-variance-authority";
import { api } from "#app/api/api.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { type AdminPurchase, cancelSubscription } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { Button } from "#ui/controls/button.tsx";
import { holdDialog, reactivateDialog } from "../account-dialogs.ts";
import { useAddress } from "../address.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { RowAction } from "../row-action.tsx";
import { openerId } from "../row-focus.ts";
import { DisputeDialog } from "./dispute-dialog.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

type Asked = "cancel" | "hold" | "reactivate" | "refund" | "dispute";

/** The actions that the server allows for a purchase now, and a link to its details. */
export function PurchaseActions({ purchase, isOpen }: { purchase: AdminPurchase; isOpen?: boolean }) {
  const { write } = useAddress();
  const [asked, setAsked] = useResumable<Asked | null>(`purchase ${purchase.id}`, null);
  const { may, userName } = purchase;
  const action = (what: Asked, label: string, of: string) => (
    <RowAction label={label} of={of} onPress={() => setAsked(what)} />
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
  const { userId, userName: name } = purchase;
  const subscriptionId = purchase.subscriptionId ?? "";
  switch (asked) {
    case "cancel":
      return (
        <ReasonDialog
          about={subscriptionId}
          title={`Cancel the subscription of ${name}`}
          description={`${purchase.planName} at ${formatDollars(purchase.amount)} renews no more. The course stays open until the end of the time that is paid.`}
          confirm="Cancel Subscription"
          isDangerous
          act={(reason) => api(cancelSubscription, { body: { userId, subscriptionId, reason } })}
          words={{ done: "Subscription cancelled successfully", failed: "Failed to cancel subscription" }}
          onClose={onClose}
        />
      );
    case "hold":
      return <ReasonDialog {...holdDialog(userId, name, subscriptionId)} onClose={onClose} />;
    case "reactivate":
      return <ReasonDialog {...reactivateDialog(userId, name)} onClose={onClose} />;
    case "refund":
      return <RefundDialog purchase={purchase} onClose={onClose} />;
    case "dispute":
      return <DisputeDialog purchase={purchase} onClose={onClose} />;
  }
}
