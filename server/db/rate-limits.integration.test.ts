import { afterAll, expect, test } from "vitest";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { databaseOfFile } from "#test/fixtures.ts";
import { openDb, openPool } from "./db.ts";
import { countUse, forgetUses, limitRetention, returnUse } from "./rate-limits.ts";
import { applyRetention } from "./retention.ts";

const limit = { max: 3, window: HOUR, message: "Enough for now." };
const now = new Date("2030-03-01T12:00:00Z");

const { database, pool } = await databaseOfFile();
const another = openPool(database.connection, () => {}, 5);
afterAll(() => another.end());
/** Two nodes on one database. */
const nodes = [openDb(pool), openDb(another)] as const;

const count = (key: string, at = now, node: 0 | 1 = 0) => countUse(nodes[node], key, limit, at);

test("concurrent uses on two nodes pass up to the limit, and the others are told how long to wait [H06]", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => count("crowd", now, at % 2 ? 1 : 0)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(17);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: "too-many-requests", message: "Enough for now.", retryAfterSeconds: 3600 });
  }
});

test("the window ends by the given clock, however many uses were refused", async () => {
  for (let use = 0; use < 3; use++) await count("clock");
  const early = after(now, HOUR - 1);
  await expect(count("clock", early)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  for (let use = 0; use < 3; use++) await count("clock", after(now, HOUR));
  await expect(count("clock", after(now, HOUR + MINUTE))).rejects.toMatchObject({ retryAfterSeconds: 59 * 60 });
});

test("a returned use and forgotten uses do not count", async () => {
  for (let use = 0; use < 5; use++) {
    await count("returned");
    await returnUse(nodes[1], "returned");
  }
  for (let use = 0; use < 3; use++) await count("returned");
  await expect(count("returned")).rejects.toThrow("Enough for now.");
  await forgetUses(nodes[0], "returned");
  await count("returned");
  // One that never was gives nobody one more.
  await returnUse(nodes[0], "nobody's");
  for (let use = 0; use < 3; use++) await count("nobody's");
  await expect(count("nobody's")).rejects.toThrow();
});

test("more rows than one statement deletes are all deleted", async () => {
  await pool.query(
    "insert into limits (key, uses, ends_at) select 'crowd-' || n, 1, $1 from generate_series(1, 2500) n",
    [now],
  );
  await applyRetention(nodes[0], limitRetention, now);
  expect((await pool.query("select 1 from limits where key like 'crowd-%'")).rows).toEqual([]);
});

test("only counts whose window has ended are deleted", async () => {
  for (let use = 0; use < 3; use++) await count("over");
  for (let use = 0; use < 3; use++) await count("open", after(now, MINUTE));
  await applyRetention(nodes[0], limitRetention, after(now, HOUR));
  const { rows } = await pool.query("select key from limits where key in ('over', 'open')");
  expect(rows).toEqual([{ key: "open" }]);
  await expect(count("open", after(now, HOUR))).rejects.toThrow();
});
