import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, type Font } from "fontkit";

interface FontFile {
  readonly file: string;
  /** Matches the characters to look for in this font. */
  readonly scripts: RegExp;
  /** Matches texts that prefer this font to earlier ones. */
  readonly prefers?: RegExp;
}

const require = createRequire(import.meta.url);

/** Of one weight, and no WOFF files, which the drawing of pictures cannot read. */
const files = {
  /** Latin beyond Western Europe, Greek, Cyrillic, Armenian, Georgian and symbols. */
  wide: fileURLToPath(new URL("../../content/fonts/dejavu-sans.ttf", import.meta.url)),
  arabic: besides(require.resolve("@embedpdf/fonts-arabic"), "NotoNaskhArabic-Regular.ttf"),
  hebrew: require.resolve("@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf"),
  devanagari: require.resolve("@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf"),
  thai: require.resolve("@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf"),
  chinese: besides(require.resolve("@embedpdf/fonts-sc"), "NotoSansHans-Regular.otf"),
  japanese: besides(require.resolve("@embedpdf/fonts-jp"), "NotoSansJP-Regular.otf"),
  korean: besides(require.resolve("@embedpdf/fonts-kr"), "NotoSansKR-Regular.otf"),
};

export const wideFont = files.wide;

const eastAsian = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\u3000-\u33ff\uff00-\uffef]/u;

/** The Chinese font has nearly all Han characters; the other two have the forms and variants of their language. */
const fonts: readonly FontFile[] = [
  { file: files.arabic, scripts: /\p{scx=Arab}/u },
  { file: files.hebrew, scripts: /\p{scx=Hebr}/u },
  { file: files.devanagari, scripts: /\p{scx=Deva}/u },
  { file: files.thai, scripts: /\p{scx=Thai}/u },
  { file: files.chinese, scripts: eastAsian },
  { file: files.japanese, scripts: eastAsian, prefers: /[\p{sc=Hira}\p{sc=Kana}\ufa0e-\ufa6d\u{20000}-\u{2ffff}]/u },
  { file: files.korean, scripts: eastAsian, prefers: /\p{sc=Hang}/u },
  { file: files.wide, scripts: /(?:)/u },
];

/** Looks for the font that draws all of `cluster`, beginning with those that suit the whole `text`. */
export function findFont(cluster: string, text: string): string | null {
  const isPreferred = ({ prefers }: FontFile) => Number(prefers?.test(text) ?? false);
  const candidates = fonts.toSorted((one, other) => isPreferred(other) - isPreferred(one));
  const font = candidates.find(({ file, scripts }) => scripts.test(cluster) && canDraw(file, cluster));
  return font?.file ?? null;
}

export function hasGlyphs(file: string, text: string): boolean {
  const font = loadFont(file);
  return [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

function canDraw(file: string, cluster: string): boolean {
  if (!hasGlyphs(file, cluster)) return false;
  try {
    return loadFont(file)
      .layout(cluster)
      .glyphs.every(({ id }) => id !== 0);
  } catch {
    return false; // The library has no position for some sequences of marks.
  }
}

/** At most one for each file. Together they take 40 MB, which the process frees once nothing is being drawn. */
const loaded = new Map<string, WeakRef<Font>>();

export function loadFont(file: string): Font {
  const known = loaded.get(file)?.deref();
  if (known) return known;
  const font = create(readFileSync(file)) as Font;
  loaded.set(file, new WeakRef(font));
  return font;
}

/** These packages export their program, which is in a folder beside that of the fonts. */
function besides(program: string, font: string): string {
  return join(dirname(dirname(program)), "fonts", font);
}
