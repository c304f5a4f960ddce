import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useResumable } from "#app/editing/resumable.ts";
import { href } from "#contract/addresses.ts";
import { type Discrepancy, Repair, repairDiscrepancy, repairFailed } from "#contract/admin/reconciliation.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";

type Action = Discrepancy["actions"][number];

export function OpenDiscrepancy({ found }: { found: Discrepancy }) {
  const [asked, setAsked] = useResumable<Action | null>(`discrepancy ${found.id}`, null);
  const { title, actions } = found;
  return (
    <Card className="grid gap-5">
      <div>
        <Badge tone="danger">{formatTimestamp(found.foundAt)}</Badge>
        <h3 className="mt-3 font-semibold text-lead">{title}</h3>
        <p className="mt-2 max-w-prose wrap-anywhere">{found.sentence}</p>
        <Figures found={found} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {actions.length === 0 && <p>{repairFailed}</p>}
        {actions.map((action) => (
          <Button key={action.action} variant="outline" onClick={() => setAsked(action)}>
            {action.label}
          </Button>
        ))}
        {found.userId && (
          <Link to={href.adminUser(found.userId)} className="text-sm underline underline-offset-4">
            View the student
          </Link>
        )}
      </div>
      {asked && <RepairDialog found={found} asked={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}

/** The rest comes from the page. */
const Typed = Repair.pick({ charge: true, reason: true });

function RepairDialog({ found, asked, onClose }: { found: Discrepancy; asked: Action; onClose: () => void }) {
  const { action, label, effect } = asked;
  const form = useActForm(Typed, {
    about: `${action} ${found.id}`,
    saved: { charge: undefined, reason: undefined },
    send: (typed) => api(repairDiscrepancy, { body: { ...typed, discrepancyId: found.id, action } }),
    words: { done: "Repaired", failed: "Failed to repair the discrepancy" },
    onDone: onClose,
  });
  const isLink = action === "link-credit";
  return (
    <FormDialog
      form={form}
      title={`${label}?`}
      description={`${found.sentence} ${effect}`}
      confirm={label}
      isIncomplete={isLink && !form.value.charge}
      onClose={onClose}
    >
      {isLink && (
        <FormField
          form={form}
          name="charge"
          label="Transaction of the charge"
          hint="Its transaction number, from the payment attempts in the purchase's details."
        />
      )}
    </FormDialog>
  );
}

function Figures({ found }: { found: Discrepancy }) {
  const figures = [
    ["Transaction", found.transactionId],
    ["Purchase", found.purchaseId],
    ...(found.expected === found.found
      ? [["Amount", found.found && `$${found.found}`]]
      : [
          ["In your records", found.expected && `$${found.expected}`],
          ["At the gateway", found.found && `$${found.found}`],
        ]),
  ].filter((figure): figure is [string, string] => Boolean(figure[1]));
  return (
    <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt className="text-fine text-ink-soft">{label}</dt>
          <dd className="printed break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
