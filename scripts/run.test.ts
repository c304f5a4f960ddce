import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Stands for npm: notes how it was told to install, leaves what `npm ci` leaves, and knows of no package. */
const npm = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const args = process.argv.slice(2);
  if (args[0] === "sbom") {
    console.log(JSON.stringify({ metadata: { component: {} }, components: [], dependencies: [] }));
    process.exit();
  }
  appendFileSync("npm.log", args.join(" ") + "\\n");
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const installed = Object.entries(packages).filter(([path, { dev }]) => path && !(dev && args.includes("--omit=dev")));
  mkdirSync("node_modules", { recursive: true });
  writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(installed) }));
`;

/** A release whose programs do nothing, and the commands that run them. */
function openRelease() {
  const folder = mkdtempSync(join(tmpdir(), "academy-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["scripts", "server", "app"]) mkdirSync(join(folder, name));
  for (const name of readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".mjs"))) {
    cpSync(join(root, "scripts", name), join(folder, "scripts", name));
  }
  const write = (file: string, content: string) => writeFileSync(join(folder, file), content);
  write("package.json", '{ "type": "module" }');
  const packages = {
    "": {},
    "node_modules/pg": { version: "1.0.0" },
    "node_modules/vite": { version: "1.0.0", dev: true },
  };
  write("package-lock.json", JSON.stringify({ packages }));
  write("npm.js", npm);
  write("scripts/build.ts", "");
  write("server/main.ts", 'console.log("the server runs");');
  write("app/page.ts", "");
  return {
    write,
    has: (file: string) => existsSync(join(folder, file)),
    installs: () => readFileSync(join(folder, "npm.log"), "utf8").trim().split("\n"),
    async run(command: string, mode?: "production") {
      const env = { PATH: process.env.PATH, npm_execpath: join(folder, "npm.js"), ...(mode && { MODE: mode }) };
      const child = spawn(process.execPath, ["scripts/run.mjs", command], { cwd: folder, env });
      const [said, complaint, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      return { code, said, complaint: complaint.trim() };
    },
  };
}

test("a production start builds nothing, and says what to do where the pages are not built", async () => {
  const release = openRelease();
  const stale =
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.";
  expect(await release.run("start", "production")).toMatchObject({ code: 1, complaint: stale });
  expect([release.has("node_modules"), release.has("dist")]).toEqual([false, false]);
  expect((await release.run("build")).code).toBe(0);
  expect(await release.run("start", "production")).toMatchObject({ code: 0, said: "the server runs\n" });
  release.write("app/page.ts", "export const changed = true;");
  expect(await release.run("start", "production")).toMatchObject({ code: 1, complaint: stale });
});

test("a production start installs no development package, and takes none away", async () => {
  const release = openRelease();
  await release.run("build");
  await release.run("start", "production");
  expect(release.installs()).toEqual([expect.stringContaining("ci --include=dev ")]);
  release.write("node_modules/.package-lock.json", "{}");
  expect((await release.run("start", "production")).code).toBe(0);
  await release.run("start", "production");
  expect(release.installs().slice(1)).toEqual([expect.stringContaining("ci --omit=dev ")]);
  await release.run("start");
  expect(release.installs().slice(2)).toEqual([expect.stringContaining("ci --include=dev ")]);
});
