import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { domains } from "../.dependency-cruiser.mjs";

// `.dependency-cruiser.mjs` checks imports. These tests check what needs the text of the files.

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["contract", "content", "server", "issuer", "sandbox", "app", "site", "ui"];
const product = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: "utf8", recursive: true }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|spec)\.tsx?$/.test(file))
  .sort();

/**
 * The programs, and code that talks to the operating system: supervised processes, a lock, metrics of this process.
 */
const touchesProcess = [
  "server/main.ts",
  "sandbox/main.ts",
  "server/db/embedded.ts",
  "server/db/embedded-binaries.ts",
  "server/db/embedded-processes.ts",
  "server/images/decoder.ts",
  "server/images/run-decoder.ts",
  "server/process/data-dir.ts",
  "server/studio/find-ffmpeg.ts",
  "server/studio/plain.ts",
  "server/studio/read-plain.ts",
  "server/studio/run-limited.ts",
];

test("only its owner writes a table", () => {
  const owners = new Map(
    product
      .filter((file) => file.endsWith("/tables.ts") && domainOf(file))
      .flatMap((file) =>
        [...codeOf(file).matchAll(/export const (\w+) =/g)].map(([, table = ""]) => [table, domainOf(file)]),
      ),
  );
  expect(owners.size).toBeGreaterThan(20);
  const wrong = product.flatMap((file) =>
    [...codeOf(file).matchAll(/\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g)]
      .filter(([, table = ""]) => owners.has(table) && owners.get(table) !== domainOf(file))
      .map(([call]) => `${file}: ${call}`),
  );
  expect(wrong).toEqual([]);
});

test("only the programs touch the process", () => {
  const touching = product.filter((file) => /\bprocess\.\w|["']node:process["']/.test(codeOf(file)));
  expect(touching.filter((file) => !touchesProcess.includes(file))).toEqual([]);
});

test("only the listed files read the sender's address", () => {
  const reading = product.filter((file) => /\.ips?\b|remoteAddress/.test(codeOf(file)));
  expect(reading).toEqual([
    "server/http/client.ts",
    "server/http/load-shedding/connections.ts",
    "server/operations/metrics/metrics.ts",
  ]);
});

/** The file without its comments, which may mention what code must not contain. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function domainOf(file: string): string | undefined {
  return domains.find((domain) => new RegExp(`^server/${domain}/`).test(file));
}

test("every map and set that lives as long as its module or object has a comment with its bound", () => {
  const lives =
    /^(?:(?:export )?const| {2}(?:private |readonly |static )+)\s*\w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)\b.*\(\);$/;
  const isComment = /^\s*(\/?\*|\/\/)/;
  const silent = product
    .filter((file) => /^(server|issuer|sandbox)\//.test(file) && !file.startsWith("server/demo/"))
    .flatMap((file) => {
      const lines = readFileSync(root + file, "utf8").split("\n");
      return lines.flatMap((line, at) => {
        const above = lines.slice(0, at);
        const comment = above.slice(above.findLastIndex((one) => !isComment.test(one)) + 1).join(" ");
        return lives.test(line) && !comment.includes("At most") ? [`${file}:${at + 1}`] : [];
      });
    });
  expect(silent).toEqual([]);
});
