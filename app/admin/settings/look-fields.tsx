import type { ReactNode } from "react";
import type { AcademySettings } from "#contract/academy.ts";
import { adjustments, builtInColors, type Colors, pictureAddress, pictureSize } from "#contract/branding.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { LookPreview } from "./look-preview.tsx";
import { PictureField } from "./picture-field.tsx";

interface LookFieldsProps {
  value: AcademySettings;
  change: (changes: Partial<AcademySettings>) => void;
  errorOf: (field: keyof AcademySettings) => string | null;
}

/** Logo, icon and colors, with a preview in both color schemes. */
export function LookFields({ value, change, errorOf }: LookFieldsProps) {
  const colors = {
    brand: wholeColor(value.brandColor) ?? builtInColors.brand,
    accent: wholeColor(value.accentColor) ?? builtInColors.accent,
  };
  const color = (field: "brandColor" | "accentColor") => ({
    value: value[field],
    onChange: (chosen: string | null) => change({ [field]: chosen }),
    error: errorOf(field),
    name: field,
  });
  return (
    <>
      <PictureField
        kind="logo"
        label="Logo"
        hint="In place of the name: a PNG, WebP or JPEG of at most 2 MB. Empty: the name is the logo."
        picture={value.logo}
        error={errorOf("logo")}
        onChange={(logo) => change({ logo })}
      />
      {value.logo && (
        <Field
          label="Logo in words"
          hint="For who cannot see it. Empty: the name."
          name="logoAlt"
          error={errorOf("logoAlt")}
        >
          <Input
            maxLength={120}
            value={value.logoAlt ?? ""}
            onChange={({ target }) => change({ logoAlt: target.value || null })}
          />
        </Field>
      )}
      <PictureField
        kind="icon"
        label="Icon"
        hint="Of browser tabs and bookmarks; it is cut to a square. Empty: a tag in the brand color."
        picture={value.icon}
        error={errorOf("icon")}
        onChange={(icon) => change({ icon })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <ColorField
          label="Brand color"
          hint="Of buttons and tags. Empty: the built-in yellow."
          builtIn={builtInColors.brand}
          {...color("brandColor")}
        />
        <ColorField
          label="Accent color"
          hint="Of lines and stamps. Empty: the built-in red."
          builtIn={builtInColors.accent}
          {...color("accentColor")}
        />
      </div>
      <Adjustments colors={colors} />
      <LookPreview name={value.name} colors={colors} logo={value.logo === null ? null : logoOf(value.logo, value)} />
    </>
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
  label: string;
  hint: string;
  name: string;
  value: string | null;
  builtIn: string;
  error: string | null;
  onChange: (color: string | null) => void;
}

/** A color to type or to pick. */
function ColorField({ label, hint, name, value, builtIn, error, onChange }: ColorFieldProps) {
  return (
    <div className="flex items-end gap-2">
      <Field label={label} hint={hint} name={name} error={error} className="grow">
        <Input
          maxLength={7}
          placeholder={builtIn}
          spellCheck={false}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value.trim() || null)}
        />
      </Field>
      <input
        type="color"
        aria-label={`Choose the ${label.toLowerCase()}`}
        value={wholeColor(value) ?? builtIn}
        onChange={({ target }) => onChange(target.value)}
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
          <p>So that everybody can tell them from what is behind them:</p>
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
