// The one way to run anything here. Plain JavaScript with nothing installed yet: it starts on the machine's own Node
// (20 or newer), brings packages and pages up to date, and hands over to the Node that came with the packages.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes, handOver, PlainFailure, run } from "./child.mjs";
import { installPackages, nodeProgram } from "./packages.mjs";
import { arePagesFresh, buildPages } from "./pages.mjs";
import { fromRoot } from "./root.mjs";
import { writeBillOfMaterials } from "./sbom.mjs";
import { runTests } from "./tests.mjs";

/** What was typed after the command: files, names of tests. */
const words = process.argv.slice(3);

/** As server/config.ts reads it. */
const isProduction = process.env.MODE === "production";

const commands = {
  async start() {
    const node = await (isProduction ? readyForProduction() : ready({ pages: true }));
    return run(node, [...nodeOptions, "server/main.ts"], { env: withLittleMemory() });
  },
  async dev() {
    const node = await ready({ pages: !existsSync(fromRoot("dist")) });
    const pages = "http://localhost:5173";
    const env = { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL || pages };
    console.log(`The pages, reloading: ${pages}`);
    return handOver([
      [node, ["--watch", "--watch-preserve-output", "server/main.ts"], { env }],
      [node, [bin("vite"), "--clearScreen", "false", "--logLevel", "warn"], {}],
    ]);
  },
  async sandbox() {
    const node = await ready({ pages: true });
    return run(node, ["sandbox/main.ts"]);
  },
  async bench() {
    const node = await ready({ pages: true });
    const failed = await run(node, ["bench/main.ts", ...nodeOptions], { env: withLittleMemory() });
    return failed || run(node, ["bench/administration.ts"], { env: withLittleMemory() });
  },
  async reconcile() {
    const node = await ready({ pages: false, development: !isProduction });
    return run(node, ["scripts/reconcile.ts"]);
  },
  backup: () => operate("backup"),
  restore: () => operate("restore"),
  doctor: () => operate("doctor"),
  "adopt-files": () => operate("adopt-files"),
  async build() {
    const node = await ready({ pages: false });
    await buildPages(node);
    await writeBillOfMaterials();
    return 0;
  },
  async sbom() {
    await ready({ pages: false, development: !isProduction });
    console.log(`dist/sbom.cdx.json: ${await writeBillOfMaterials()} packages.`);
    return 0;
  },
  "db:migrate": () => operate("db:migrate"),
  async check() {
    const node = await ready({ pages: false });
    return runTests(node, staticChecks, [tests.unit]);
  },
  async test() {
    const node = await ready({ pages: true });
    return runTests(node, staticChecks, [tests.unit, tests.integration, tests.e2e], words);
  },
  "test:unit": () => test("unit", { pages: false }),
  "test:integration": () => test("integration", { pages: true }),
  "test:e2e": () => test("e2e", { pages: true }),
  "test:long": () => test("long", { pages: true }),
  async typecheck() {
    const node = await ready({ pages: false });
    return runTests(node, typeChecks, []);
  },
  async lint() {
    const node = await ready({ pages: false });
    return runTests(node, [style, deadCode], []);
  },
  async format() {
    const node = await ready({ pages: false });
    return run(node, [bin("biome"), "check", "--write", ...(words.length > 0 ? words : ["."])]);
  },
};

/**
 * New objects get 8 MB instead of 16, and what outlived them is collected when it has grown by half: less memory resident,
 * at the same speed. `npm run bench` measures it.
 */
const nodeOptions = ["--max-semi-space-size=8", "--heap-growing-percent=50"];

/** Node keeps what it compiled, so that starts are quicker and take less memory; so do fewer pools of the allocator. */
function withLittleMemory() {
  return { NODE_COMPILE_CACHE: fromRoot("node_modules/.cache/compiled"), MALLOC_ARENA_MAX: "2", ...process.env };
}

const bin = (name) => `node_modules/.bin/${name}`;
const typeChecks = [
  { name: "types of the server", args: [bin("tsc"), "--noEmit", "-p", "tsconfig.json"] },
  { name: "types of the pages", args: [bin("tsc"), "--noEmit", "-p", "app/tsconfig.json"] },
];
const style = { name: "lint and format", args: [bin("biome"), "check", "--error-on-warnings", "."] };
const deadCode = { name: "dead code", args: [bin("knip"), "--no-progress"] };
const staticChecks = [...typeChecks, style, deadCode];

const vitest = (project) => ({
  name: `${project} tests`,
  command: `test:${project}`,
  runner: "vitest",
  args: [bin("vitest"), "run", "--project", project],
});
const tests = {
  unit: vitest("unit"),
  integration: vitest("integration"),
  long: vitest("long"),
  e2e: { name: "end-to-end tests", command: "test:e2e", runner: "playwright", args: [bin("playwright"), "test"] },
};

async function test(kind, { pages }) {
  return runTests(await ready({ pages }), [], [tests[kind]], words);
}

/** Runs an operator's command; a file is named as it is seen from where the command was typed. */
async function operate(command) {
  const node = await ready({ pages: false, development: !isProduction });
  const from = process.env.INIT_CWD ?? process.cwd();
  const files = words.map((word) => (word.startsWith("--") ? word : resolve(from, word)));
  return run(node, ["scripts/operate.ts", command, ...files]);
}

/** Resolves to the Node that runs TypeScript, with all packages there and, when asked for, the pages built. */
async function ready({ pages, development = true }) {
  await installPackages({ development });
  const node = nodeProgram();
  if (pages && !arePagesFresh()) await buildPages(node);
  return node;
}

/** Resolves to the Node that runs TypeScript. Nothing is built, as that would need the development packages. */
function readyForProduction() {
  if (arePagesFresh()) return ready({ pages: false, development: false });
  throw new PlainFailure(
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.",
  );
}

const command = commands[process.argv[2]];
if (!command) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join("|")}`);
  process.exit(exitCodes.usage);
}
try {
  process.exitCode = await command();
} catch (error) {
  if (!(error instanceof PlainFailure)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
