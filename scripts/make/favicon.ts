import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";

/*
 * Makes app/public/favicon.ico from favicon.svg, for browsers that know no drawings as icons and ask for that name
 * whatever a page says. Run it again when the drawing changes: node scripts/make/favicon.ts
 */

const folder = fileURLToPath(new URL("../../app/public/", import.meta.url));
/** Pixels. */
const size = 32;

const browser = await chromium.launch({ executablePath: await chromiumPath() });
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const drawing = await readFile(`${folder}favicon.svg`, "utf8");
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await writeFile(`${folder}favicon.ico`, iconOf(await page.screenshot({ omitBackground: true })));
} finally {
  await browser.close();
}

/** One PNG in the container that icons come in: how many, how large, of how many bits, how long, and from where. */
function iconOf(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
