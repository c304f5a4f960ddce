import { api } from "#app/api/api.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { type AdminPurchase, cancelSubscription } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { holdDialog, reactivateDialog } from "../account-dialogs.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type RowAction, RowActions } from "../row-actions.tsx";
import { DisputeDialog } from "./dispute-dialog.tsx";
import { RefundDialog } from "./refund-dialog.tsx";

type Asked = "cancel" | "hold" | "reactivate" | "refund" | "dispute";

/** The actions that the server allows for a purchase now. Each asks for confirmation. */
export function PurchaseActions({ purchase, isOpen = false }: { purchase: AdminPurchase; isOpen?: boolean }) {
  const [asked, setAsked] = useResumable<Asked | null>(`purchase ${purchase.id}`, null);
  const { may, userName } = purchase;
  const action = (isAllowed: boolean, what: Asked, label: string): RowAction | false =>
    isAllowed && { label, onPress: () => setAsked(what) };
  return (
    <>
      <RowActions
        of={`the purchase of ${userName}`}
        isOpen={isOpen}
        actions={[
          action(may.cancelSubscription, "cancel", "Cancel Subscription"),
          action(may.hold, "hold", "Hold Account"),
          action(may.reactivate, "reactivate", "Reactivate"),
          action(may.refund, "refund", "Refund"),
          action(isOpen && may.refund, "dispute", "Record Dispute"),
        ]}
      />
      {asked && <AskedDialog asked={asked} purchase={purchase} onClose={() => setAsked(null)} />}
    </>
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
          description={`${purchase.planName} at ${formatDollars(purchase.amount)} won’t renew. The course stays open until the end of the paid period.`}
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
