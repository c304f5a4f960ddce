import { useState } from "react";
import type { OwnSubscription } from "#contract/purchases/subscriptions.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { useSubscriptionChange } from "./subscription-change.ts";

/** Cancels with two clicks and no questions: as easy as signing up. */
export function CancelSubscription({ subscription: { planName, accessUntil } }: { subscription: OwnSubscription }) {
  const [isAsking, setIsAsking] = useState(false);
  const { cancel } = useSubscriptionChange();
  const kept = accessUntil
    ? ` The course stays open until ${formatDay(accessUntil)}, and until then you can resume with one press.`
    : "";
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        Cancel membership
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(open) => cancel.isPending || setIsAsking(open)}
        title={`Cancel ${planName}?`}
        description={`It does not renew any more, and nothing more is charged.${kept} Your progress is kept.`}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={cancel.isPending} onClick={() => setIsAsking(false)}>
            Keep membership
          </Button>
          <Button
            variant="danger"
            pending={cancel.isPending}
            onClick={() => cancel.mutate(undefined, { onSettled: () => setIsAsking(false) })}
          >
            Cancel membership
          </Button>
        </div>
      </Dialog>
    </>
  );
}
