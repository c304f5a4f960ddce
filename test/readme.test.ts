import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { supportedBrowsers } from "#content/browsers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { scripts: Record<string, string> };

/** Paths that the README may mention although they exist only after a run. */
const madeLater = /^(\.\/)?(data|dist|node_modules|test-results)(\/|$)/;

test("every npm script that the README names exists", () => {
  const named = [...readme.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(name && name in scripts))).toEqual([]);
});

test("every path of the repository that the README names exists", () => {
  const quoted = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  const linked = [...readme.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
  const paths = [...quoted, ...linked].filter(isRepositoryPath);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(root + path) && !madeLater.test(path))).toEqual([]);
});

test("every script runs something that exists", () => {
  const broken = Object.entries(scripts).filter(([, command]) => {
    const runs = command.split(/ && |; /).filter((run) => !run.startsWith("export "));
    return runs.some((run) => {
      const [program, file = "", ...words] = run.replace(/^(\w+=\S+ )*(exec )?/, "").split(/\s+/);
      const ran = words.find((word) => !word.startsWith("-")) ?? "";
      const exists = existsSync(root + ran) || existsSync(`${root}node_modules/.bin/${ran}`);
      return program !== "node" || file !== "scripts/node.mjs" || ran === "" || !exists;
    });
  });
  expect(broken).toEqual([]);
});

test("the README names the supported browsers", () => {
  expect(readme.replaceAll("\n", " ")).toContain(`in ${supportedBrowsers} (`);
});

/** A path such as `server/main.ts`, `bench/` or `knip.json`, but no URL, pattern, route or placeholder. */
function isRepositoryPath(text: string): boolean {
  if (!/^(\.\/)?[\w.-]+(\/[\w.-]+)*\/?$/.test(text)) return false;
  return text.includes("/") ? existsSync(root + (text.replace(/^\.\//, "").split("/", 1)[0] ?? "")) : isFileName(text);
}

function isFileName(text: string): boolean {
  return /\.(ts|tsx|js|mjs|json|md|sql|css|html|yml)$/.test(text);
}
