import { beforeEach, expect, test, vi } from "vitest";
import { circuitBreaker } from "./circuit-breaker.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const open = { kind: "not-sent", reason: "open" };

/** A breaker around a gateway that answers with `side.answer`, else `side.kind`. `side.sent` holds what has reached it. */
function breaker(kind: string) {
  const side = { kind, sent: [] as string[], changes: [] as boolean[], answer: null as Promise<string> | null };
  const call = circuitBreaker<string, { kind: string; reason?: string }>(
    async (request) => {
      side.sent.push(request);
      return { kind: (await side.answer) ?? side.kind };
    },
    {
      whenOpen: open,
      probe: "probe",
      isProbe: (request) => request === "probe",
      onChange: (isOpen) => side.changes.push(isOpen),
    },
  );
  return { side, call };
}

test.each(["not-sent", "lost"])(
  "after five calls in a row that end as %s, calls fail at once [P31 I19]",
  async (kind) => {
    const { side, call } = breaker(kind);
    for (let count = 0; count < 5; count++) expect(await call("charge")).toEqual({ kind });
    expect(await call("charge")).toBe(open);
    expect(side).toMatchObject({ sent: Array(5).fill("charge"), changes: [true] });
  },
);

test("one answer resets the count [P31]", async () => {
  const { side, call } = breaker("lost");
  for (const kind of ["not-sent", "lost", "lost", "lost", "replied", "lost", "lost", "not-sent", "lost", "replied"]) {
    side.kind = kind;
    expect(await call("charge")).toEqual({ kind });
  }
  expect(side.changes).toEqual([]);
});

test("a charge that is answered late does not close the breaker [P31]", async () => {
  const { side, call } = breaker("lost");
  const late = Promise.withResolvers<string>();
  side.answer = late.promise;
  const charge = call("slow charge");
  side.answer = null;
  for (let count = 0; count < 5; count++) await call("charge");
  late.resolve("replied");
  expect(await charge).toEqual({ kind: "replied" });
  expect(await call("charge")).toBe(open);
});

test("every ten seconds a probe is sent, and its answer closes the breaker [P31]", async () => {
  const { side, call } = breaker("lost");
  for (let count = 0; count < 5; count++) await call("charge");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await call("probe")).toEqual({ kind: "lost" });
  expect(await call("charge")).toBe(open);
  expect(side.sent.slice(5)).toEqual(["probe", "probe"]);

  side.kind = "replied";
  await vi.advanceTimersByTimeAsync(9_999);
  expect(await call("charge")).toBe(open);
  await vi.advanceTimersByTimeAsync(1);
  expect(await call("charge")).toEqual({ kind: "replied" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(side.sent.slice(7)).toEqual(["probe", "charge"]);
  expect(side.changes).toEqual([true, false]);
});
