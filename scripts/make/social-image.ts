import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { builtInCopy } from "#content/copy/copy.ts";
import { builtInSettings, socialImage } from "#content/site.ts";
import { chromiumPath } from "#test/chromium.ts";

/*
 * Draws content/social.png, what a link to an academy with the built-in name and look shows where it is shared; any other
 * is drawn by the server (server/settings/social-image.ts). Run it again when the headline or
 * the design changes: node scripts/make/social-image.ts
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = `${root}content${socialImage.path}`;
/** Bytes. Some messengers ignore larger images. */
const maxBytes = 200_000;

const browser = await chromium.launch({ executablePath: await chromiumPath() });
try {
  const { width, height } = socialImage;
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "light" });
  await page.setContent(await drawing());
  await page.evaluate("document.fonts.ready");
  await page.screenshot({ path: target });
} finally {
  await browser.close();
}
const { size } = await stat(target);
if (size > maxBytes) throw new Error(`${target} has ${size} bytes, more than ${maxBytes}`);
console.log(`${target}: ${Math.ceil(size / 1000)} KB`);

async function drawing(): Promise<string> {
  const { hero, footer } = builtInCopy;
  const [before, after] = hero.headline.split("price tag");
  const tokens = (await readFile(`${root}ui/styles/tokens.css`, "utf8")).replace(/@import [^;]+;/, "");
  const shapes = await readFile(`${root}site/styles/landing-shapes.css`, "utf8");
  return `<!doctype html>
<style>
  ${await fontFace("Archivo Variable", "archivo/files/archivo-latin-wdth-normal.woff2", "62% 125%")}
  ${await fontFace("Martian Mono Variable", "martian-mono/files/martian-mono-latin-wght-normal.woff2", "100%")}
  ${tokens}
  ${shapes}
  body { display: grid; grid-template-rows: 1fr auto; height: 100vh; margin: 0; background: var(--canvas); color: var(--ink) }
  main { display: flex; flex-direction: column; justify-content: space-between; padding: 60px 72px 44px }
  h1, b { font: 830 112px/1.12 var(--font-display); font-stretch: 122%; letter-spacing: -0.035em; margin: 0 }
  b { display: flex; align-items: center; gap: 18px; font-size: 44px; line-height: 1 }
  b svg { height: 52px }
  .headline-tag { display: inline-block; margin-block: -0.04em }
  footer { display: flex; justify-content: space-between; padding: 34px 72px; background: var(--rail); color: var(--rail-ink);
    font: 450 25px/1.2 var(--font-mono); letter-spacing: -0.02em }
  footer span:last-child { color: var(--tag) }
</style>
<main>
  <b>
    <svg viewBox="0 0 34 24" stroke="#17150f" stroke-width="1.5">
      <path d="M9 1h23a1 1 0 0 1 1 1v20a1 1 0 0 1-1 1H9L1 12Z" fill="#ffd60a" />
      <circle cx="9.5" cy="12" r="2" fill="#17150f" stroke="none" />
      <path d="M16 6v12M19 6v12M21.5 6v12M25.5 6v12M28 6v12" />
    </svg>
    ${builtInSettings.name}
  </b>
  <h1>${before}<span class="headline-tag">price tag</span>${after}</h1>
</main>
<footer><span>${hero.eyebrow}</span><span>${footer.tagline.split(". ")[0]}.</span></footer>`;
}

async function fontFace(family: string, file: string, stretch: string): Promise<string> {
  const font = await readFile(`${root}node_modules/@fontsource-variable/${file}`, "base64");
  const source = `url(data:font/woff2;base64,${font})`;
  return `@font-face { font-family: "${family}"; font-weight: 100 900; font-stretch: ${stretch}; src: ${source} }`;
}
