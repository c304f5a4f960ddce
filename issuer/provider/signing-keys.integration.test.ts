import { expect, test } from "vitest";
import { systemClock } from "#server/base/clock.ts";
import { openDb, openPool } from "#server/db/db.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { signingKeys } from "./signing-keys.ts";

test("nodes that start at once agree on one key", async () => {
  const database = await cloneDatabase();
  const pool = openPool(database.connection, () => {});
  try {
    const db = openDb(pool);
    const all = await Promise.all(Array.from({ length: 4 }, () => signingKeys(db, systemClock)));
    expect(new Set(all.map((jwks) => jwks.keys[0]?.kid)).size).toBe(1);
    expect(await signingKeys(db, systemClock)).toEqual(all[0]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
