/** The two colours that an academy chooses, as `#rrggbb`. All others are derived from them. */
export interface Colors {
  readonly brand: string;
  readonly accent: string;
}

export const builtInColors: Colors = { brand: "#ffd60a", accent: "#c8201a" };

/** Background and text colours of the pages, as in ui/styles/tokens.css. */
const ink = "#17150f";
const paper = "#fffefb";
const grounds = { light: ["#f6f4ee", paper], dark: ["#12110e", "#201e19"] } as const;
/** The lighter of the bands of both colour schemes. */
const rail = "#2a2821";

/** WCAG 2.2, level AA. @internal */
export const enough = { text: 4.5, part: 3 } as const;

/** A background with a readable text colour. */
export interface Pair {
  readonly ground: string;
  readonly ink: string;
}

interface Shades {
  readonly tag: Pair;
  /** Primary buttons. */
  readonly action: Pair;
  /** Lines and markers. */
  readonly scan: string;
}

/** All colours that are derived from the two, each with enough contrast where pages use it. */
export interface Palette {
  readonly light: Shades;
  readonly dark: Shades;
  /** On dark bands, as background and as text colour. */
  readonly rail: Pair;
  readonly stamp: Pair;
}

export function paletteOf({ brand, accent }: Colors): Palette {
  const inDark = pair(reach(brand, grounds.dark, enough.part));
  return {
    light: {
      tag: pair(brand),
      action: { ground: ink, ink: paper },
      scan: reach(accent, grounds.light, enough.part),
    },
    dark: { tag: inDark, action: inDark, scan: accentInDark(accent) },
    rail: pair(reach(brand, [rail], enough.text)),
    stamp: pair(accent),
  };
}

/** The built-in accent has its own lighter variant for dark backgrounds. */
function accentInDark(accent: string): string {
  return accent === builtInColors.accent ? "#ff6a5e" : reach(accent, grounds.dark, enough.part);
}

/** A sentence for each chosen colour that pages must adjust for contrast. */
export function adjustments(colors: Colors): string[] {
  const { light, dark, rail } = paletteOf(colors);
  const { brand, accent } = colors;
  return [
    ...(dark.tag.ground === brand ? [] : [`In dark mode, the brand color is shown as ${dark.tag.ground}.`]),
    ...(rail.ground === brand ? [] : [`On dark bands the brand color is shown as ${rail.ground}.`]),
    ...(light.scan === accent ? [] : [`In light mode, the accent is shown as ${light.scan}.`]),
    ...(dark.scan === accent || accent === builtInColors.accent
      ? []
      : [`In dark mode, the accent is shown as ${dark.scan}.`]),
  ];
}

/** The custom properties that override those of ui/styles/tokens.css. */
export function tokensOf(colors: Colors): Record<string, string> {
  const { light, dark, stamp } = paletteOf(colors);
  const both = (inLight: string, inDark: string) => (inLight === inDark ? inLight : bySchemes(inLight, inDark));
  return {
    "--tag": both(light.tag.ground, dark.tag.ground),
    "--tag-ink": both(light.tag.ink, dark.tag.ink),
    "--tag-deep": both(deeper(light.tag.ground), deeper(dark.tag.ground)),
    "--action": both(light.action.ground, dark.action.ground),
    "--action-ink": both(light.action.ink, dark.action.ink),
    "--scan": both(light.scan, dark.scan),
    "--stamp": stamp.ground,
    "--stamp-ink": stamp.ink,
  };
}

/** A value for each colour scheme, by the switches of ui/styles/tokens.css. */
const bySchemes = (inLight: string, inDark: string) => `var(--if-light,${inLight})var(--if-dark,${inDark})`;

/** On the dark bands, in both schemes. */
export function railTokensOf(colors: Colors): Record<string, string> {
  const { rail } = paletteOf(colors);
  return { "--tag": rail.ground, "--tag-ink": rail.ink, "--tag-deep": deeper(rail.ground) };
}

/** The academy's own logo. A light background keeps it visible in dark mode and on any band. */
const logoRules = [
  ".logo{display:block;width:auto;height:auto;max-width:min(12rem,34vw);max-height:2.5rem;margin:.3rem;border-radius:2px}",
  `.logo{--ground:${bySchemes("#0000", "#fffefb")};background:var(--ground);box-shadow:0 0 0 .3rem var(--ground)}`,
  ":is(.bg-rail,.label-stub) .logo{background:#fffefb;box-shadow:0 0 0 .3rem #fffefb}",
];

/** The style sheet of an academy with its own branding. Pages load it last. */
export function stylesOf(colors: Colors): string {
  const rule = (selector: string, tokens: Record<string, string>) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, value]) => `${name}:${value}`)
      .join(";")}}`;
  return [
    rule("html:root,html .scheme-light", tokensOf(colors)),
    rule(".bg-rail,.bg-rail .scheme-light", railTokensOf(colors)),
    // The blue focus ring lacks contrast with some colours; a tag's text colour always has enough with its background.
    rule(".bg-tag *,.swing-tag.bg-tag", { "--focus": "var(--tag-ink)" }),
    ...logoRules,
  ].join("");
}

/** File names that contain their input, so that the content of a URL never changes. */
export const brandingPath = "/look";

export function stylesAddress({ brand, accent }: Colors): string {
  return `${brandingPath}/colors-${brand.slice(1)}-${accent.slice(1)}.css`;
}

/** The built-in icon, a price tag, in the brand colour. */
export function tagIconAddress({ brand }: Colors): string {
  return `${brandingPath}/icon-${brand.slice(1)}.svg`;
}

/** The icon of the plain style, a square in the brand colour. */
export function squareIconAddress({ brand }: Colors): string {
  return `${brandingPath}/square-${brand.slice(1)}.svg`;
}

/** Only pictures of the landing page exist as WebP. */
export function pictureAddress(id: string, format: "png" | "webp" = "png"): string {
  return `${brandingPath}/${id}.${format}`;
}

export function socialImageAddress(key: string): string {
  return `${brandingPath}/social-${key}.png`;
}

/** From the picture's id, such as `3f2a…-320x96`. */
export function pictureSize(id: string): { width: number; height: number } {
  const [, width, height] = /-(\d+)x(\d+)$/.exec(id) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** From 1 to 21, for two colours in any order. @internal */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white; one of them is readable on any background. */
function pair(ground: string): Pair {
  const inks = [ink, paper, "#000000", "#ffffff"];
  return { ground, ink: inks.find((one) => contrast(one, ground) >= enough.text) ?? "#000000" };
}

/**
 * The colour, or the nearest of its hue with enough contrast to all backgrounds: lighter on dark ones, darker on
 * light ones.
 */
function reach(color: string, others: readonly string[], least: number): string {
  if (others.every((other) => contrast(color, other) >= least)) return color;
  const { hue, saturation, lightness } = hslOf(color);
  const step = luminance(others[0] ?? ink) < 0.18 ? 1 : -1;
  for (let percent = Math.round(lightness * 100); percent > 0 && percent < 100; percent += step) {
    const shade = fromHsl({ hue, saturation, lightness: percent / 100 });
    if (others.every((other) => contrast(shade, other) >= least)) return shade;
  }
  return step > 0 ? "#ffffff" : "#000000";
}

interface Hsl {
  /** In degrees. */
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function hslOf(color: string): Hsl {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) => part / 255);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  const lightness = (most + least) / 2;
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const sixth =
    most === red ? (green - blue) / range : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: sixth * 60, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}

function fromHsl({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const place = (offset + hue / 30 + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return hex([part(0), part(8), part(4)]);
}

function deeper(color: string): string {
  return color === builtInColors.brand ? "#c99f00" : mix(color, "#000000", 0.22);
}

function mix(color: string, other: string, share: number): string {
  const parts = channels(other);
  return hex(channels(color).map((part, at) => part + ((parts[at] ?? 0) - part) * share));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}
