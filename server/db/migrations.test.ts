import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("./migrations/", import.meta.url);

/** The last one that makes an empty database into the first release's: no older code runs on what they change. */
const firstRelease = "20261128180002_triggers";

/** What code of the previous release would fail at, while both run during a rollout. */
const breaking: readonly (readonly [string, RegExp])[] = [
  ["drops a table or a column", /\bdrop\s+(table|column|schema|view|type)\b/i],
  ["renames", /\brename\s+(to|column|constraint)\b|\brename\b.*\bto\b/i],
  ["changes a type", /\balter\s+column\b.*\b(set\s+data\s+)?type\b/i],
  ["requires what older code does not write", /\bset\s+not\s+null\b/i],
  ["requires what older code does not write", /\badd\s+column\b(?!.*\bdefault\b).*\bnot\s+null\b/i],
  ["takes a default away", /\bdrop\s+default\b/i],
];

function findIncompatible(sql: string): string[] {
  const statements = sql.replace(/^--(?!> statement-breakpoint).*$/gm, "").split(/--> statement-breakpoint|;\s*$/m);
  return statements.flatMap((statement) =>
    breaking.filter(([, pattern]) => pattern.test(statement)).map(([what]) => `${what}: ${statement.trim()}`),
  );
}

test("code of the previous release goes on running on each new schema [I11]", () => {
  const since = readdirSync(folder).filter((name) => name > firstRelease);
  const incompatible = since.flatMap((name) =>
    findIncompatible(readFileSync(new URL(`${name}/migration.sql`, folder), "utf8")).map((found) => `${name} ${found}`),
  );
  expect(incompatible).toEqual([]);
});

test.each([
  ['ALTER TABLE "users" DROP COLUMN "bio";'],
  ["drop table users"],
  ['ALTER TABLE "users" RENAME COLUMN "bio" TO "about";'],
  ['ALTER TABLE "users" ALTER COLUMN "bio" SET DATA TYPE varchar(3);'],
  ['ALTER TABLE "users" ALTER COLUMN "bio" SET NOT NULL;'],
  ['ALTER TABLE "users" ADD COLUMN "age" integer NOT NULL;'],
])("%j would not pass", (sql) => {
  expect(findIncompatible(sql)).not.toEqual([]);
});

test("additions that older code can ignore pass", () => {
  expect(
    findIncompatible(`-- Older code may drop table users in its dreams.
ALTER TABLE "users" ADD COLUMN "age" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "kind" text DEFAULT 'x' NOT NULL;--> statement-breakpoint
CREATE TABLE "other" ("id" text PRIMARY KEY, "name" text NOT NULL);`),
  ).toEqual([]);
});
