import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { adjustments, builtInColors, contrast, enough, paletteOf, stylesOf, tokensOf } from "#contract/branding.ts";

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

test("for any colours text is readable and parts stand out from their background", () => {
  fc.assert(
    fc.property(anyColor, anyColor, (brand, accent) => {
      const { light, dark, rail, stamp } = paletteOf({ brand, accent });
      for (const { ground, ink } of [light.tag, light.action, dark.tag, dark.action, rail, stamp]) {
        expect(contrast(ground, ink)).toBeGreaterThanOrEqual(enough.text);
      }
      for (const ground of ["#12110e", "#201e19"]) {
        expect(contrast(dark.action.ground, ground)).toBeGreaterThanOrEqual(enough.part);
        expect(contrast(dark.scan, ground)).toBeGreaterThanOrEqual(enough.part);
      }
      for (const ground of ["#f6f4ee", "#fffefb"]) {
        expect(contrast(light.scan, ground)).toBeGreaterThanOrEqual(enough.part);
      }
      for (const band of ["#17150f", "#2a2821"]) {
        expect(contrast(rail.ground, band)).toBeGreaterThanOrEqual(enough.text);
      }
    }),
  );
});

test("the built-in colours are those of the tokens, and nothing of them is adjusted", () => {
  const tokens = readFileSync(new URL("../ui/styles/tokens.css", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(tokensOf(builtInColors))) {
    expect(tokens.replaceAll(", ", ",").replaceAll(") var", ")var")).toContain(`  ${name}: ${value};`);
  }
  expect(adjustments(builtInColors)).toEqual([]);
});

test("a colour that is too dark for dark mode is lightened there, and a sentence says so", () => {
  const navy = { brand: "#1a2b5c", accent: "#c8201a" };
  expect(tokensOf(navy)["--tag"]).toMatch(/^var\(--if-light,#1a2b5c\)var\(--if-dark,#[0-9a-f]{6}\)$/);
  expect(adjustments(navy)).toEqual([
    expect.stringMatching(/^In dark mode, the brand color is shown as #[0-9a-f]{6}\.$/),
    expect.stringMatching(/^On dark bands the brand color is shown as #[0-9a-f]{6}\.$/),
  ]);
  expect(adjustments({ brand: "#ffd60a", accent: "#ffe9e0" })).toEqual([
    expect.stringMatching(/^In light mode, the accent is shown as #[0-9a-f]{6}\.$/),
  ]);
  expect(stylesOf(navy)).not.toMatch(/[<\n]/);
});
