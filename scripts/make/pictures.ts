import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { chromiumPath } from "#test/chromium.ts";

/*
 * Draws the README's pictures of the administrator's pages from a demo that was just started for the first time:
 * DATA_DIR=$(mktemp -d) npm start, and beside it: node scripts/make/pictures.ts http://localhost:3000
 */

const pictures = [
  { file: "money", path: "/admin/money?by=month", height: 1240 },
  { file: "learning", path: "/admin/learning", height: 1000 },
  { file: "users", path: "/admin", height: 1000 },
] as const;
/** Bytes. */
const largest = 200_000;

const [address = "http://localhost:3000"] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: await chromiumPath() });
try {
  const context = await browser.newContext({ baseURL: address, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  await signIn(page);
  for (const { file, path, height } of pictures) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.evaluate("document.fonts.ready");
    const target = fileURLToPath(new URL(`../../docs/${file}.png`, import.meta.url));
    const { size } = await sharp(await page.screenshot())
      .png({ palette: true, effort: 10 })
      .toFile(target);
    if (size > largest) throw new Error(`${target} has ${size} bytes, more than ${largest}`);
    console.log(`${target}: ${Math.ceil(size / 1000)} KB`);
  }
} finally {
  await browser.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/api/login");
  await page.getByRole("button", { name: "Continue as admin@academy.test" }).click();
  await page.waitForURL("**/dashboard");
}
