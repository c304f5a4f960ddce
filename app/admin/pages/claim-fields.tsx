import { newId } from "#app/editing/entries.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { faultOf, pathOf, type Written, within } from "#app/editing/written.ts";
import type { CopyOf } from "#contract/copy.ts";
import { Checkbox, Field, Input } from "#ui/controls/field.tsx";

const withoutHint = "Shown after you remove the claim.";

type Claiming = { claim: { id: string; withoutClaim: string } | null };

/** Whether an entry claims something that needs a record, and its text without the claim. */
export function WithoutClaim<Entry extends Claiming>({ entry, label }: { entry: Written<Entry>; label: string }) {
  const form = entry as unknown as Written<Claiming>;
  return (
    <>
      <Checkbox
        label="Contains a claim that needs proof"
        checked={form.value.claim !== null}
        onChange={({ target }) => form.change({ claim: target.checked ? { id: newId(), withoutClaim: "" } : null })}
      />
      {form.value.claim && (
        <FormField form={within(form, "claim")} name="withoutClaim" label={label} hint={withoutHint} />
      )}
    </>
  );
}

type Material = CopyOf<"materials">["materials"][number];

export function Availability({ material }: { material: Written<Material> }) {
  const { availability, detail } = material.value;
  const setSince = (since: string) =>
    material.change({ availability: since ? { id: newId(), withoutClaim: detail, ...availability, since } : null });
  return (
    <>
      <Field
        label="Available since"
        hint="A month, as a claim. Leave empty to show none."
        name={pathOf(material, "availability.since")}
        error={faultOf(material, "availability.since")}
      >
        <Input type="month" value={availability?.since ?? ""} onChange={({ target }) => setSince(target.value)} />
      </Field>
      {availability && (
        <FormField
          form={within(material, "availability")}
          name="withoutClaim"
          label="Description without the month"
          hint={withoutHint}
        />
      )}
    </>
  );
}
