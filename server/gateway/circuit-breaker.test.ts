import { expect, test } from "vitest";
import { circuitBreaker } from "./circuit-breaker.ts";

const shut = { kind: "not-sent", reason: "shut" };

function breaker() {
  const side = { kind: "not-sent", calls: 0, time: 0, limits: [] as object[] };
  const call = circuitBreaker<string, { kind: string; reason?: string }>(
    async (_request, limits) => {
      side.calls += 1;
      side.limits.push(limits);
      return { kind: side.kind };
    },
    shut,
    () => side.time,
  );
  return { side, call };
}

test("after five connections in a row that did not open, calls fail at once and reach nobody [P31 I19]", async () => {
  const { side, call } = breaker();
  for (let count = 0; count < 5; count++) expect(await call("charge")).toEqual({ kind: "not-sent" });
  expect(await call("charge")).toBe(shut);
  expect(side.calls).toBe(5);
});

test("a lost answer does not count, and any connection resets the count [P31]", async () => {
  const { side, call } = breaker();
  for (const kind of ["not-sent", "not-sent", "not-sent", "not-sent", "lost", "not-sent", "replied", "lost"]) {
    side.kind = kind;
    expect(await call("charge")).toEqual({ kind });
  }
  for (let count = 0; count < 10; count++) expect(await call("charge")).toEqual({ kind: "lost" });
});

test("after ten seconds one trial call decides whether calls go through again [P31]", async () => {
  const { side, call } = breaker();
  for (let count = 0; count < 5; count++) await call("charge");
  side.time = 9_999;
  expect(await call("charge")).toBe(shut);
  side.time = 10_000;
  const [trial, meanwhile] = await Promise.all([call("trial"), call("meanwhile")]);
  expect([trial, meanwhile]).toEqual([{ kind: "not-sent" }, shut]);
  expect(side.limits.at(-1)).toEqual({ connectMs: 800 });
  expect(await call("charge")).toBe(shut);

  side.time = 20_000;
  side.kind = "replied";
  expect(await call("trial")).toEqual({ kind: "replied" });
  expect(await Promise.all([call("one"), call("another")])).toEqual([{ kind: "replied" }, { kind: "replied" }]);
});
