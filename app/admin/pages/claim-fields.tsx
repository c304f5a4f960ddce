import type { CopyOf } from "#contract/copy.ts";
import { Checkbox, Field, Input, Textarea } from "#ui/controls/field.tsx";
import type { Written } from "./written.tsx";

export const claimHint = "A claim: what backs it stands under Claims.";

type Claiming = { claim: { id: string; withoutClaim: string } | null };

/** Whether an entry claims something that needs a record, and its text without the claim. */
export function WithoutClaim<Entry extends Claiming>({ entry, label }: { entry: Written<Entry>; label: string }) {
  const { value, change, errorOf, nameOf } = entry as unknown as Written<Claiming>;
  const name = nameOf("claim.withoutClaim");
  return (
    <>
      <Checkbox
        label="It claims something that needs a record"
        checked={value.claim !== null}
        onChange={({ target }) =>
          change({ claim: target.checked ? { id: `new-${Date.now().toString(36)}`, withoutClaim: "" } : null })
        }
      />
      {value.claim && (
        <Field label={label} hint="Shown once the claim is taken off." name={name} error={errorOf(name)}>
          <Textarea
            rows={3}
            maxLength={1500}
            value={value.claim.withoutClaim}
            onChange={({ target }) => value.claim && change({ claim: { ...value.claim, withoutClaim: target.value } })}
          />
        </Field>
      )}
    </>
  );
}

type Material = CopyOf<"materials">["materials"][number];

export function Availability({ material: { value, change, errorOf, nameOf } }: { material: Written<Material> }) {
  const { availability } = value;
  const since = nameOf("availability.since");
  const without = nameOf("availability.withoutClaim");
  return (
    <>
      <Field label="Available since" hint="A month, as a claim. Empty: not said." name={since} error={errorOf(since)}>
        <Input
          type="month"
          value={availability?.since ?? ""}
          onChange={({ target }) =>
            change({
              availability: target.value
                ? {
                    id: `new-${Date.now().toString(36)}`,
                    withoutClaim: value.detail,
                    ...availability,
                    since: target.value,
                  }
                : null,
            })
          }
        />
      </Field>
      {availability && (
        <Field
          label="About it without the month"
          hint="Shown once the claim is taken off."
          name={without}
          error={errorOf(without)}
        >
          <Textarea
            rows={2}
            maxLength={240}
            value={availability.withoutClaim}
            onChange={({ target }) => change({ availability: { ...availability, withoutClaim: target.value } })}
          />
        </Field>
      )}
    </>
  );
}
