import type { Written } from "#app/editing/written.ts";
import { LengthField } from "../length-field.tsx";

/** The part of a lesson that changed. */
export function PartFields({ form }: { form: Written<{ from: number | null; to: number | null }> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LengthField form={form} name="from" empty={null} label="From (optional)" hint="Such as 1:40." />
      <LengthField
        form={form}
        name="to"
        empty={null}
        label="To (optional)"
        hint="Leave both empty for the whole lesson."
      />
    </div>
  );
}
