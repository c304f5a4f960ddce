import pg from "pg";
import { expect, test } from "vitest";
import { openLog } from "./log.ts";

test("an outage is one line a second, but what ends the process is always told [I16]", () => {
  const lines: string[] = [];
  const log = openLog("info", { write: (line) => lines.push(JSON.parse(line).msg) });
  const err = Object.assign(new pg.DatabaseError("terminating connection", 0, "error"), { code: "57P01" });
  for (const message of ["first", "second", "third"]) log.error({ err }, message);
  log.fatal({ err }, "the process ends");
  expect(lines).toEqual(["first", "the process ends"]);
});
