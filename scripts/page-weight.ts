/*
 * Prints what the pages of the last build weigh, compressed as the server sends them, and fails when the landing page
 * has grown beyond its budget: node_modules/.bin/node scripts/page-weight.ts
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** Bytes of script that the landing page may fetch by itself, by gzip; React alone is 68,000 of them. */
const budget = 95_000;

const client = fileURLToPath(new URL("../dist/client", import.meta.url));
const pages = (await readdir(client, { recursive: true })).filter(
  (name) => name.endsWith(".html") && !name.startsWith("with-session/"),
);

console.log(
  `${"page".padEnd(28)}${["files", "gzip", "brotli", "html, gzip"].map((title) => title.padStart(12)).join("")}`,
);
for (const page of pages.sort()) {
  const html = await readFile(`${client}/${page}`, "utf8");
  const scripts = [...html.matchAll(/(?:src|rel="modulepreload"[^>]* href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, file]) => file ?? "",
  );
  const first = /<script type="module">([^<]*)<\/script>/.exec(html)?.[1] ?? "";
  const gzip = gzipSync(first).length + (await sizeOf(scripts, ".gz"));
  const brotli = brotliCompressSync(first).length + (await sizeOf(scripts, ".br"));
  const figures = [scripts.length, gzip, brotli, await sizeOf([page], ".gz")];
  console.log(page.padEnd(28) + figures.map((figure) => figure.toLocaleString("en-US").padStart(12)).join(""));
  if (page === "index.html" && gzip > budget) {
    console.error(`The scripts of the landing page are beyond ${budget.toLocaleString("en-US")} bytes.`);
    process.exitCode = 1;
  }
}

/** Bytes in all; what is too small to be worth compressing is sent as it is. */
async function sizeOf(files: readonly string[], suffix: string): Promise<number> {
  const sizes = files.map(async (file) => {
    const sent = await stat(`${client}/${file}${suffix}`).catch(() => stat(`${client}/${file}`));
    return sent.size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
