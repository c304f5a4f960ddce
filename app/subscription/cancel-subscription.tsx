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
    ? ` The course stays open until ${formatDay(accessUntil)}, and you can resume any time before then.`
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
        description={`It won't renew, and you won't be charged again.${kept} We'll save your progress.`}
      >
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
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
