import { faultOf, pathOf, type Written } from "#app/editing/written.ts";
import type { Picture } from "#contract/pictures.ts";
import { Checkbox, Field, Input } from "#ui/controls/field.tsx";
import { PictureField } from "../settings/picture-field.tsx";

interface PictureFieldsProps {
  form: Written<{ picture: Picture | null }>;
  kind: "figure" | "portrait";
  label: string;
  hint: string;
}

/** A picture, and its words for people who do not see it. */
function PictureFields({ form, kind, label, hint }: PictureFieldsProps) {
  const { picture } = form.value;
  const put = (changes: Partial<Picture>) => picture && form.change({ picture: { ...picture, ...changes } });
  return (
    <>
      <PictureField
        kind={kind}
        label={label}
        hint={`${hint} A PNG, WebP or JPEG of at most 2 MB.`}
        picture={picture?.id ?? null}
        error={faultOf(form, "picture.id")}
        onChange={(id) => form.change({ picture: id === null ? null : { alt: "", ...picture, id } })}
      />
      {picture && (
        <>
          {picture.alt !== null && (
            <Field
              label={altLabel}
              hint="For screen readers, and shown when the picture doesn’t load."
              name={pathOf(form, "picture.alt")}
              error={faultOf(form, "picture.alt")}
            >
              <Input
                value={picture.alt}
                maxLength={200}
                required
                onChange={({ target }) => put({ alt: target.value })}
              />
            </Field>
          )}
          <Checkbox
            label="The picture is decorative, so screen readers skip it"
            checked={picture.alt === null}
            onChange={({ target }) => put({ alt: target.checked ? null : "" })}
          />
        </>
      )}
    </>
  );
}

const altLabel = "What the picture shows";

/** The label of a picture, with its fields. */
export function pictureLabel<Value extends { picture: Picture | null }>(
  label: string,
  kind: "figure" | "portrait",
  hint: string,
) {
  return {
    labels: { id: { label, words: () => "A picture" }, alt: altLabel },
    field: (form: Written<Value>) => (
      <PictureFields form={form as unknown as PictureFieldsProps["form"]} kind={kind} label={label} hint={hint} />
    ),
  };
}
