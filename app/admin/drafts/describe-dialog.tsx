import { useState } from "react";
import { z } from "#app/api/zod.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { pathOf, type Written, within } from "#app/editing/written.ts";
import { changeReasons, DescribedChange } from "#contract/lesson-changes.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { PartFields } from "../updates/part-fields.tsx";
import { type Described, type Doubted, type Undescribed, usePublishDescribed } from "./publish.tsx";

interface DescribeDialogProps {
  undescribed: Undescribed;
  onDoubted: (doubted: Doubted) => void;
  onDone: () => void;
  onClose: () => void;
}

/** Asks what students should know about another video or other captions, and publishes. */
export function DescribeDialog({ undescribed: { lines, reasons }, onDoubted, onDone, onClose }: DescribeDialogProps) {
  const asked = lines.filter(({ kind, id }) => kind === "lesson" && reasons[id]);
  const [untold, setUntold] = useState<readonly string[]>([]);
  const told = asked.filter(({ id }) => !untold.includes(id));
  const schema = z.object({ changes: z.object(Object.fromEntries(told.map(({ id }) => [id, DescribedChange]))) });
  const close = () => {
    onClose();
    onDone();
  };
  const { publish, onFailed } = usePublishDescribed({
    onDoubted(doubted) {
      onClose();
      onDoubted(doubted);
    },
    onDone: close,
  });
  const answersOf = (changes: Readonly<Record<string, DescribedChange>>): Described =>
    Object.fromEntries(asked.map(({ id }) => [id, untold.includes(id) ? null : (changes[id] ?? null)]));
  const form = useFormOf(schema, {
    about: `changes of ${asked.map(({ id }) => id).join(" ")}`,
    saved: { changes: Object.fromEntries(asked.map(({ id }) => [id, emptyChange(reasons[id])])) },
    send: ({ changes }) => publish(lines, answersOf(changes)),
    onFailed,
  });
  return (
    <ActionDialog
      title="What changed for students?"
      description="Students who have watched the lesson see your note until they have seen the change. Everyone can read it on the Changes page."
      confirm="Publish"
      form={form}
      onClose={onClose}
    >
      {asked.map(({ id, title }) => (
        <fieldset key={id} disabled={form.isSending} className="grid min-w-0 gap-4">
          <legend className="mb-2 font-bold wrap-anywhere">{title}</legend>
          <p className="text-ink-soft text-sm">{reasons[id]}</p>
          <Checkbox
            label="Students don’t need to know"
            checked={untold.includes(id)}
            onChange={({ target }) =>
              setUntold((before) => (target.checked ? [...before, id] : before.filter((one) => one !== id)))
            }
          />
          {!untold.includes(id) && <ChangeFields form={within(within(form, "changes"), id)} />}
        </fieldset>
      ))}
    </ActionDialog>
  );
}

function emptyChange(reason: string | undefined): DescribedChange {
  return { kind: reason === changeReasons.video ? "replaced" : "corrected", from: null, to: null, note: "" };
}

const kinds = [
  ["replaced", "Replaced"],
  ["corrected", "Corrected"],
] as const;

function ChangeFields({ form }: { form: Written<DescribedChange> }) {
  return (
    <div key={pathOf(form, "note")} className="grid gap-4">
      <FormField form={form} name="kind" label="Kind of change" options={kinds} />
      <PartFields form={form} />
      <FormField
        form={form}
        name="note"
        label="Note"
        hint="For example: The fee table shows the new prices."
        rows={2}
      />
    </div>
  );
}
