import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A fake npm: records its arguments, and creates what `npm ci` creates. */
const npm = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const args = process.argv.slice(2);
  appendFileSync("npm.log", args.join(" ") + "\\n");
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const fits = ({ dev, os }) => !os && !(dev && args.includes("--omit=dev"));
  const installed = Object.entries(packages).filter(([path, one]) => path && fits(one));
  mkdirSync("node_modules", { recursive: true });
  writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(installed) }));
`;

/** A release with the real commands, whose programs do nothing. */
function openRelease() {
  const folder = folderOfTest();
  for (const name of ["scripts/pages", "server", "app"]) mkdirSync(join(folder, name), { recursive: true });
  const parts = readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".mjs"));
  for (const name of [...parts, "pages/freshness.ts"]) {
    cpSync(join(root, "scripts", name), join(folder, "scripts", name));
  }
  const write = (file: string, content: string) => writeFileSync(join(folder, file), content);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  write("package.json", JSON.stringify({ type: "module", scripts }));
  const packages = {
    "": {},
    "node_modules/pg": { version: "1.0.0" },
    "node_modules/vite": { version: "1.0.0", dev: true },
    "node_modules/for-another-machine": { version: "1.0.0", optional: true, os: ["none"] },
  };
  write("package-lock.json", JSON.stringify({ packages }));
  write("npm.js", npm);
  write("scripts/build.ts", 'import { beginBuild } from "./pages/freshness.ts"; beginBuild()(); console.log("built");');
  write("server/main.ts", 'console.log("the server runs");');
  write("app/page.ts", "");
  const runProgram = async (program: string, args: string[], mode?: "production") => {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { PATH: path, npm_execpath: join(folder, "npm.js"), ...(mode && { MODE: mode }) };
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code, said, complaint: complaint.trim() };
  };
  return {
    write,
    lock: join(folder, "node_modules.lock"),
    has: (file: string) => existsSync(join(folder, file)),
    installs: () => readFileSync(join(folder, "npm.log"), "utf8").trim().split("\n"),
    /** Runs a command of package.json like npm. */
    run: (command: string, mode?: "production") => runProgram("sh", ["-c", scripts[command] ?? "exit 99"], mode),
    node: (...args: string[]) => runProgram(process.execPath, ["scripts/node.mjs", ...args]),
  };
}

test("a first start says how far it is, plainly where there is no terminal, and a second one says nothing", async () => {
  const release = openRelease();
  const { code, said } = await release.run("start");
  expect(code).toBe(0);
  expect(
    said
      .replace(/\(\d+ s\)/g, "(time)")
      .trim()
      .split("\n"),
  ).toEqual(["Installing packages: 0 of 2 (time)", "Installed 2 packages (time)", "built", "the server runs"]);
  expect(await release.run("start")).toEqual({ code: 0, said: "the server runs\n", complaint: "" });
});

test("two commands install the packages once, although a killed one left its lock", async () => {
  const release = openRelease();
  // As slow as npm, so that the second command comes meanwhile.
  release.write("npm.js", npm.replace("mkdirSync(", "await new Promise((done) => setTimeout(done, 500));$&"));
  mkdirSync(release.lock);
  const both = await Promise.all([release.node("server/main.ts"), release.node("server/main.ts")]);
  expect(both.map(({ code, complaint }) => [code, complaint])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  expect(release.installs()).toHaveLength(1);
  expect(existsSync(release.lock)).toBe(false);
}, 60_000);

test("an installation that fails is told with npm's own words, and nothing runs after it", async () => {
  const release = openRelease();
  release.write("npm.js", 'console.error("the registry is away"); process.exit(1);');
  const { code, said, complaint } = await release.run("start");
  expect(code).toBe(1);
  expect(complaint).toBe("the registry is away\nThe packages could not be installed.");
  expect(said).not.toContain("the server runs");
});

test("a build that fails starts no server", async () => {
  const release = openRelease();
  release.write("scripts/build.ts", 'console.error("a page does not compile"); process.exit(3);');
  const { code, said, complaint } = await release.run("start");
  expect({ code, complaint }).toEqual({ code: 3, complaint: "a page does not compile" });
  expect(said).not.toContain("the server runs");
});

test("a program that is not there, and none at all, are refused with one sentence", async () => {
  const release = openRelease();
  expect(await release.node("tsk")).toMatchObject({
    code: 2,
    complaint: "tsk is neither a file here nor a command of a package.",
  });
  expect(await release.node()).toMatchObject({
    code: 2,
    complaint: "Usage: node scripts/node.mjs [OPTIONS] PROGRAM [ARGUMENTS]",
  });
});

test("a program gets the options of Node and its own arguments as they were typed", async () => {
  const release = openRelease();
  release.write("server/echo.ts", "console.log(JSON.stringify([process.execArgv, process.argv.slice(2)]));");
  await release.node("server/echo.ts");
  const { said } = await release.node("--no-warnings", "server/echo.ts", "a file", "-t", "its name", "--runtime");
  expect(JSON.parse(said)).toEqual([["--no-warnings"], ["a file", "-t", "its name", "--runtime"]]);
});

test("a production start builds nothing, and says what to do where the pages are not built", async () => {
  const release = openRelease();
  const stale =
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.";
  expect(await release.run("start", "production")).toMatchObject({ code: 1, complaint: stale });
  expect(release.has("dist")).toBe(false);
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
