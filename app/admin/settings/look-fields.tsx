import type { ReactNode } from "react";
import { FormField } from "#app/editing/form-field.tsx";
import { faultOf, type Written } from "#app/editing/written.ts";
import type { AcademySettings } from "#contract/academy.ts";
import { adjustments, builtInColors, type Colors, pictureAddress, pictureSize } from "#contract/branding.ts";
import { lookLabels } from "./labels.ts";
import { LookPreview } from "./look-preview.tsx";
import { PictureField } from "./picture-field.tsx";

/** Logo, icon, colors and style, with a preview in both color schemes. */
export function LookFields({ form }: { form: Written<AcademySettings> }) {
  const { value, change } = form;
  const colors = {
    brand: wholeColor(value.brandColor) ?? builtInColors.brand,
    accent: wholeColor(value.accentColor) ?? builtInColors.accent,
  };
  return (
    <div className="grid items-start gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="grid min-w-0 gap-5">
        <PictureField
          kind="logo"
          label={lookLabels.logo.label}
          hint="Replaces the name. A PNG, WebP or JPEG of at most 2 MB. Leave empty to show the name."
          picture={value.logo}
          error={faultOf(form, "logo")}
          onChange={(logo) => change({ logo })}
        />
        {value.logo && (
          <FormField
            form={form}
            name="logoAlt"
            label={lookLabels.logoAlt}
            hint="Alternative text for screen readers. Leave empty to use the name."
          />
        )}
        <PictureField
          kind="icon"
          label={lookLabels.icon.label}
          hint="Shown in browser tabs and bookmarks, cut to a square. Leave empty to use one in the brand color."
          picture={value.icon}
          error={faultOf(form, "icon")}
          onChange={(icon) => change({ icon })}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <ColorField
            form={form}
            name="brandColor"
            label={lookLabels.brandColor}
            hint="For buttons and tags. Leave empty to use the built-in yellow."
            builtIn={builtInColors.brand}
          />
          <ColorField
            form={form}
            name="accentColor"
            label={lookLabels.accentColor}
            hint="For lines and stamps. Leave empty to use the built-in red."
            builtIn={builtInColors.accent}
          />
        </div>
        <Adjustments colors={colors} />
        <div className="grid gap-1.5">
          <FormField form={form} name="isPlain" label={lookLabels.isPlain} />
          <p className="text-fine text-ink-soft">
            Simple boxes instead of tags, torn receipts and stamps, on all pages and receipts. Turn off drawings under
            Pages.
          </p>
        </div>
      </div>
      <LookPreview
        name={value.name}
        colors={colors}
        logo={value.logo === null ? null : logoOf(value.logo, value)}
        isPlain={value.isPlain}
      />
    </div>
  );
}

function logoOf(id: string, { logoAlt, name }: AcademySettings) {
  return { src: pictureAddress(id), ...pictureSize(id), alt: logoAlt ?? name };
}

/** Null while the color is incomplete. */
function wholeColor(text: string | null): string | null {
  const color = text?.trim().toLowerCase() ?? "";
  return /^#[0-9a-f]{6}$/.test(color) ? color : null;
}

interface ColorFieldProps {
  form: Written<AcademySettings>;
  name: "brandColor" | "accentColor";
  label: string;
  hint: string;
  builtIn: string;
}

/** A color to type or to pick. */
function ColorField({ form, name, label, hint, builtIn }: ColorFieldProps) {
  return (
    <div className="flex items-end gap-2">
      <FormField
        form={form}
        name={name}
        label={label}
        hint={hint}
        placeholder={builtIn}
        spellCheck={false}
        className="grow"
      />
      <input
        type="color"
        aria-label={`Choose the ${label.toLowerCase()}`}
        value={wholeColor(form.value[name]) ?? builtIn}
        onChange={({ target }) => form.change({ [name]: target.value })}
        className="size-11 shrink-0 cursor-pointer rounded-sm border-[1.5px] border-line-strong bg-surface p-1"
      />
    </div>
  );
}

/** How colors are adjusted that would not stand out from their background. */
function Adjustments({ colors }: { colors: Colors }): ReactNode {
  const sentences = adjustments(colors);
  return (
    <div role="status" className="text-fine text-ink-soft">
      {sentences.length > 0 && (
        <>
          <p>To keep everything readable, we adjust these colors:</p>
          <ul className="list-disc pl-5">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
