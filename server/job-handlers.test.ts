import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { handledJobs } from "./job-handlers.ts";

test("each kind of job that the server defines has one handler", () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"));
  const definitions = sources.flatMap((source) => source.match(/\b(?:defineJob|batchesOf)\(\s*"[\w-]+",/g) ?? []);
  const names = definitions.map((definition) => /"([\w-]+)",$/.exec(definition)?.[1]);
  // `built-in-issuer.ts` handles the issuer's emails and keys, `academy.ts` the backups by their configuration.
  const elsewhere = ["mail-of-issuer", "rotate-signing-key", "back-up"];
  const handled = [...handledJobs.map(({ name }) => name), ...elsewhere];
  expect(names.toSorted()).toEqual(handled.toSorted());
});
