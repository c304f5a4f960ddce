import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { chromiumPath } from "#test/chromium.ts";

/*
 * Draws the README's pictures from a demo that was just started for the first time:
 * DATA_DIR=$(mktemp -d) npm start, and beside it: node scripts/make/pictures.ts http://localhost:3000
 */

const landing = { file: "landing", path: "/", width: 1440, height: 954 };
const ofAdministrators = [
  { file: "money", path: "/admin/money?by=month", width: 1280, height: 1240 },
  { file: "learning", path: "/admin/learning", width: 1280, height: 1000 },
  { file: "users", path: "/admin?tab=users", width: 1280, height: 1000 },
];
/** Bytes. */
const maxBytes = 200_000;

const [address = "http://localhost:3000"] = process.argv.slice(2);
// Font hinting snaps letters to whole pixels, which looks unlike most screens.
const args = ["--font-render-hinting=none"];
const browser = await chromium.launch({ executablePath: await chromiumPath(), args });
try {
  const context = await browser.newContext({ baseURL: address, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await draw(page, landing);
  await signIn(page);
  for (const picture of ofAdministrators) await draw(page, picture);
} finally {
  await browser.close();
}

async function draw(page: Page, { file, path, width, height }: typeof landing): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(path, { waitUntil: "networkidle" });
  await page.evaluate("document.fonts.ready");
  const target = fileURLToPath(new URL(`../../docs/${file}.png`, import.meta.url));
  const { size } = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(target);
  if (size > maxBytes) throw new Error(`${target} has ${size} bytes, more than ${maxBytes}`);
  console.log(`${target}: ${Math.ceil(size / 1000)} KB`);
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/api/login");
  await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
  await page.waitForURL("**/admin");
}
