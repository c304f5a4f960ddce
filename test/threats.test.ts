import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The rows of docs/threats.md: id and files. */
const rows = Array.from(
  readFileSync(`${root}docs/threats.md`, "utf8").matchAll(/^\| ([A-Z]\d{2}) \|.*\| ([^|]*) \|$/gm),
  ([, id = "", tests = ""]) => ({ id, files: Array.from(tests.matchAll(/`([^`]+)`/g), ([, file = ""]) => file) }),
);

/** The ids in the names of a file's tests. */
function idsIn(file: string): string[] {
  const names = readFileSync(root + file, "utf8").matchAll(/\[([A-Z]\d{2}(?:[ ,]+[A-Z]\d{2})*)\]["'`]/g);
  return Array.from(names).flatMap(([, ids = ""]) => ids.split(/[ ,]+/));
}

test("every threat has a test that names it", () => {
  const missing = rows.flatMap(({ id, files }) =>
    files.filter((file) => !existsSync(root + file) || !idsIn(file).includes(id)).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
  expect(rows.filter(({ files }) => files.length === 0).map(({ id }) => id)).toEqual(["D02"]);
});

test("every id in a test's name is a threat that docs/threats.md tells", () => {
  const files = globSync("{app,contract,e2e,issuer,sandbox,scripts,server,site,test}/**/*.{test,spec}.ts", {
    cwd: root,
  });
  const told = new Set(rows.flatMap(({ id, files: named }) => named.map((file) => `${id}: ${file}`)));
  const untold = files.flatMap((file) => idsIn(file).map((id) => `${id}: ${file}`)).filter((one) => !told.has(one));
  expect(untold).toEqual([]);
});
