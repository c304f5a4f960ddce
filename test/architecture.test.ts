import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Arrows point left: a domain knows those in front of it, and none beside or behind it. */
const line = [
  ["identity"],
  ["catalogue"],
  ["access"],
  ["discrepancies"],
  ["purchases"],
  ["reconciliation"],
  ["lessons"],
  ["progress", "resources", "coaching", "contact", "analytics"],
  ["profile"],
  ["files"],
  ["admin"],
  ["operations"],
];
/** Moved out of purchases and not yet cut off from it: the five count as one. */
const ofPurchases = ["payments", "subscriptions", "refunds", "receipts"];
const edges = ["http", "db", "jobs", "mail", "storage", "video", "gateway", "process"];

/** Those parts of the server that an issuer or a sandbox of another make would need as well. */
const lentToNeighbours =
  /^server\/(clock\.ts$|refusal\.ts$|mail\/mail\.ts$|(http\/(client|known-hosts)|demo-exposure)\.ts$|db\/)/;

/** Who may import from which of our folders; folders that are not named here (tests, tools) may import anything. */
const mayKnow: Record<string, (target: string, importer: string) => boolean> = {
  contract: (target) => isIn(target, "contract"),
  content: (target) => isIn(target, "content"),
  app: (target) => isIn(target, "app", "contract", "content"),
  server: (target, importer) =>
    isIn(target, "server", "contract", "content") ||
    (importer === "server/academy.ts" && isIn(target, "issuer", "sandbox")),
  issuer: (target) => isIn(target, "issuer", "contract", "content") || lentToNeighbours.test(target),
  sandbox: (target) => isIn(target, "sandbox", "contract", "content") || lentToNeighbours.test(target),
};

/** The two programs, and the edges to the operating system: a supervised process, a lock, this process measured. */
const touchesProcess = [
  "server/main.ts",
  "sandbox/main.ts",
  "server/db/embedded.ts",
  "server/db/embedded-binaries.ts",
  "server/db/embedded-processes.ts",
  "server/process/data-dir.ts",
];

interface Import {
  readonly importer: string;
  /** A path in the repository, or a package's name as it is written. */
  readonly target: string;
  readonly ours: boolean;
  /** Loaded when it is needed, as pages are: no part of a circle. */
  readonly deferred: boolean;
}

const folders = ["contract", "content", "server", "issuer", "sandbox", "app", "test", "e2e", "bench", "scripts"];
const files = folders.flatMap(filesBelow).filter((file) => /\.tsx?$/.test(file));
const product = files.filter((file) => !isTest(file) && topFolder(file) in mayKnow);
const imports = files.flatMap(importsOf);
const productImports = imports.filter(({ importer }) => product.includes(importer));

test("each folder knows only whom it may know", () => {
  const wrong = productImports.filter(
    ({ importer, target, ours }) => ours && !mayKnow[topFolder(importer)]?.(target, importer),
  );
  expect(wrong.map(arrow)).toEqual([]);
});

test("the contract needs its schema library and nothing else", () => {
  const packages = productImports.filter(({ importer, ours }) => isIn(importer, "contract", "content") && !ours);
  expect(packages.filter(({ importer, target }) => !isIn(importer, "contract") || target !== "zod").map(arrow)).toEqual(
    [],
  );
});

test("pages import nothing of Node", () => {
  const ofNode = productImports.filter(
    ({ importer, target }) => isIn(importer, "app") && importer !== "app/prerender.tsx" && target.startsWith("node:"),
  );
  expect(ofNode.map(arrow)).toEqual([]);
});

test("domains form a line", () => {
  const rank = (domain: string | null) => line.findIndex((place) => domain !== null && place.includes(domain));
  const wrong = productImports.filter(({ importer, target }) => {
    const from = serverFolder(importer);
    const to = serverFolder(target);
    return from !== to && rank(from) >= 0 && rank(to) >= rank(from);
  });
  expect(wrong.map(arrow)).toEqual([]);
});

test("every folder of the server is a domain or an edge that this test knows", () => {
  const known = [...line.flat(), ...edges, null];
  expect(product.filter((file) => isIn(file, "server") && !known.includes(serverFolder(file)))).toEqual([]);
});

test("edges know no domain", () => {
  const domains = line.flat();
  const wrong = productImports.filter(
    ({ importer, target }) =>
      edges.includes(serverFolder(importer) ?? "") && domains.includes(serverFolder(target) ?? ""),
  );
  expect(wrong.map(arrow)).toEqual([]);
});

test("rules and queries stay home", () => {
  const wrong = productImports.filter(
    ({ importer, target }) =>
      /^server\/[^/]+\/(queries|rules)\.ts$/.test(target) && serverFolder(importer) !== serverFolder(target),
  );
  expect(wrong.map(arrow)).toEqual([]);
});

test("a domain's tables are named by its own files, by other tables and by joins of other domains", () => {
  const wrong = productImports.filter(
    ({ importer, target }) =>
      target.endsWith("/tables.ts") &&
      line.flat().includes(serverFolder(target) ?? "") &&
      serverFolder(importer) !== serverFolder(target) &&
      !/\/(tables|queries)\.ts$/.test(importer),
  );
  expect(wrong.map(arrow)).toEqual([]);
});

test("only its owner writes a table", () => {
  const owners = new Map(
    product
      .filter((file) => file.endsWith("/tables.ts") && line.flat().includes(serverFolder(file) ?? ""))
      .flatMap((file) =>
        [...codeOf(file).matchAll(/export const (\w+) =/g)].map(([, table = ""]) => [table, serverFolder(file)]),
      ),
  );
  const wrong = product.flatMap((file) =>
    [...codeOf(file).matchAll(/\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g)]
      .filter(([, table = ""]) => owners.has(table) && owners.get(table) !== serverFolder(file))
      .map(([call]) => `${file}: ${call}`),
  );
  expect(wrong).toEqual([]);
});

test("rules are pure: no database, no HTTP, nothing of Node", () => {
  const wrong = productImports.filter(
    ({ importer, target }) =>
      importer.endsWith("/rules.ts") &&
      /^(node:|pg$|drizzle-orm|fastify|server\/(db|http|jobs|mail)\/|server\/context\.ts|server\/[^/]+\/queries\.ts)/.test(
        target,
      ),
  );
  expect(wrong.map(arrow)).toEqual([]);
});

test("only the programs touch the process", () => {
  const touching = product.filter((file) => /\bprocess\.\w|["']node:process["']/.test(codeOf(file)));
  expect(touching.filter((file) => !touchesProcess.includes(file))).toEqual([]);
});

test("one file reads who sent a request, so that every limit counts alike", () => {
  const reading = product.filter((file) => /\.ips?\b|remoteAddress/.test(codeOf(file)));
  expect(reading).toEqual([
    "server/http/admission/connections.ts",
    "server/http/client.ts",
    "server/operations/metrics/metrics.ts",
  ]);
});

test("what runs in production needs no development package", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const reached = new Set<string>();
  const reach = (file: string) => {
    // Only a demo loads it.
    if (reached.has(file) || isIn(file, "sandbox")) return;
    reached.add(file);
    for (const { importer, target, ours } of imports) if (ours && importer === file) reach(target);
  };
  for (const file of ["scripts/start.ts", "scripts/operate.ts", "scripts/reconcile.ts"]) reach(file);
  const isDevelopment = (target: string) =>
    target.split("/", target.startsWith("@") ? 2 : 1).join("/") in devDependencies;
  const wrong = imports.filter(({ importer, target, ours }) => !ours && reached.has(importer) && isDevelopment(target));
  expect(wrong.map(arrow)).toEqual([]);
});

test("no file imports itself in a circle", () => {
  const next = Map.groupBy(
    productImports.filter(({ ours, deferred }) => ours && !deferred),
    ({ importer }) => importer,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) circles.push([...path.slice(seenAt), file].join(" → "));
    if (seenAt >= 0 || done.has(file)) return;
    for (const { target } of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of product) visit(file, []);
  expect(circles).toEqual([]);
});

test("every import leads to a file", () => {
  const dangling = imports.filter(
    ({ target, ours }) => ours && !statSync(join(root, target), { throwIfNoEntry: false }),
  );
  expect(dangling.map(arrow)).toEqual([]);
});

test("an import is seen wherever a program may write it", () => {
  const code = `import "a";import b from'b'
    export { c } from "c"; const pages = [import("d"), () =>import( 'e' )];
    Array.from("no"); start("--import", "no"); import.meta.resolve("no");`;
  expect(specifiersIn(code).map(({ specifier }) => specifier)).toEqual([..."abcde"]);
});

function importsOf(importer: string): Import[] {
  return specifiersIn(codeOf(importer)).map(({ specifier, deferred }) => {
    if (!/^[#.]/.test(specifier)) return { importer, target: specifier, ours: false, deferred };
    const path = specifier.replace(/\?.*$/, "");
    const target = path.startsWith("#") ? path.slice(1) : relative(root, resolve(root, dirname(importer), path));
    return { importer, target, ours: true, deferred };
  });
}

/** The quoted texts after from, import or import(, which stand for themselves and not in a longer word or text. */
function specifiersIn(code: string): { specifier: string; deferred: boolean }[] {
  const statement = /(?<![\w$.'"`-])(?:from|import)\s*(\()?\s*(["'])([^"'\n]+)\2/g;
  return Array.from(code.matchAll(statement), ([, parenthesis, , specifier = ""]) => ({
    specifier,
    deferred: parenthesis !== undefined,
  }));
}

/** The file without comments, which may name what the code must not. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function filesBelow(folder: string): string[] {
  if (!statSync(join(root, folder), { throwIfNoEntry: false })) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function isIn(path: string, ...folders: string[]): boolean {
  return folders.includes(topFolder(path));
}

function topFolder(path: string): string {
  return path.split("/", 1)[0] ?? path;
}

/** The domain or edge that a file of the server belongs to; null for its root and for all other files. */
function serverFolder(path: string): string | null {
  const folder = /^server\/([^/]+)\//.exec(path)?.[1] ?? null;
  return folder !== null && ofPurchases.includes(folder) ? "purchases" : folder;
}

function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path);
}

function arrow({ importer, target }: Import): string {
  return `${importer} → ${target}`;
}
