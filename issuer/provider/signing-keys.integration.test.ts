import { expect, test } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import { openDb } from "#server/db/db.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest, forFile } from "#test/fixtures.ts";
import { operate } from "#test/operate.ts";
import type { Visitor } from "#test/visitor.ts";
import { rotateSigningKey, signingKeys } from "./signing-keys.ts";

const [old, current] = ["o".repeat(32), "c".repeat(32)];
const began = new Date("2026-12-01T12:00:00Z");

/** An empty database, and the ids of the keys that a node publishes, the signing one first. */
async function openKeys() {
  const { pool } = await databaseOfTest();
  const db = openDb(pool);
  const warnings: string[] = [];
  const scopeAt = (passed: number, secrets: readonly string[] = [current]) => {
    const clock = { now: () => after(began, passed), onMove() {} };
    return { db, clock, secrets, warn: (message: string) => void warnings.push(message) };
  };
  return {
    warnings,
    scopeAt,
    at: async (...scope: Parameters<typeof scopeAt>) =>
      (await signingKeys(scopeAt(...scope))).keys.map(({ kid = "" }) => kid),
    rows: async () => JSON.stringify((await pool.query("select to_jsonb(k) from issuer.keys k")).rows),
  };
}

test("nodes that start at once agree on one key, and so do nodes that replace it at once", async () => {
  const keys = await openKeys();
  const atOnce = async (passed: number) => {
    const all = await Promise.all(Array.from({ length: 4 }, () => keys.at(passed)));
    expect(new Set(all.map(String)).size).toBe(1);
    return all[0] ?? [];
  };
  expect(await atOnce(0)).toHaveLength(1);
  expect(await atOnce(90 * DAY)).toHaveLength(2);
  expect(await atOnce(90 * DAY + HOUR)).toHaveLength(2);
});

test("a new key is published after 90 days, signs after an hour, and is alone after 31 days [A29]", async () => {
  const keys = await openKeys();
  const [first = ""] = await keys.at(0);
  expect(await keys.at(90 * DAY - 1)).toEqual([first]);
  const [signing, second = ""] = await keys.at(90 * DAY);
  expect(signing).toBe(first);
  expect(await keys.at(90 * DAY + HOUR - 1)).toEqual([first, second]);
  expect(await keys.at(90 * DAY + HOUR)).toEqual([second, first]);
  expect(await keys.at(121 * DAY + HOUR - 1)).toEqual([second, first]);
  expect(await keys.at(121 * DAY + HOUR)).toEqual([second]);
  expect(await keys.rows()).not.toContain(first);
});

test("a rotation by command happens once until the new key signs", async () => {
  const keys = await openKeys();
  const [first = ""] = await keys.at(0);
  await rotateSigningKey(keys.scopeAt(DAY));
  await rotateSigningKey(keys.scopeAt(DAY));
  const [, second = ""] = await keys.at(DAY);
  expect(await keys.at(DAY)).toEqual([first, second]);
  expect(await keys.at(DAY + HOUR)).toEqual([second, first]);
  await rotateSigningKey(keys.scopeAt(DAY + HOUR));
  expect(await keys.at(DAY + HOUR)).toHaveLength(3);
});

test("the database has no private part of a key in plain text [A29]", async () => {
  const keys = await openKeys();
  const [made] = (await signingKeys(keys.scopeAt(0))).keys;
  const rows = await keys.rows();
  for (const part of ["d", "p", "q", "dp", "dq", "qi"] as const) {
    expect(made?.[part]).toBeDefined();
    expect(rows).not.toContain(made?.[part]);
  }
});

test("a new first secret takes the keys over, and without the old one there is a new key and a warning", async () => {
  const keys = await openKeys();
  const first = await keys.at(0, [old]);
  expect(await keys.at(0, [current, old])).toEqual(first);
  expect(await keys.at(0, [current])).toEqual(first);
  expect(keys.warnings).toEqual([]);
  // A node that still runs with the old secret alone goes on with what it has.
  const known = await signingKeys(keys.scopeAt(0, [current]));
  expect(await signingKeys(keys.scopeAt(DAY, [old]), known)).toBe(known);
  const replaced = await keys.at(DAY, [old]);
  expect(replaced).toHaveLength(1);
  expect(replaced).not.toEqual(first);
  expect(keys.warnings).toEqual(["no SESSION_SECRET decrypts the issuer's signing keys: a new one replaces them"]);
  // The other node has its key still.
  expect(await keys.at(DAY, [current])).toEqual(first);
});

const env = { SESSION_SECRET: "one secret that both nodes of this test share" };
const academy = await forFile(openAcademyInProcess(env));

const kidOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

async function tokenOf({ email }: Visitor): Promise<string> {
  const query = `select sess ->> 'idToken' as token from sessions
    join users on users.id = sess ->> 'userId' where email = $1 order by sess ->> 'signedInAt' desc`;
  return (await academy.pool.query<{ token: string }>(query, [email])).rows[0]?.token ?? "";
}

test("a running academy rotates its key on command, on all nodes, and sign-ins of before sign out as ever", async () => {
  await using other = await openAcademyInProcess({ ...env, PUBLIC_URL: academy.url }, academy.database);
  const host = new URL(academy.url).host;
  const published = async () => {
    const listed = [
      await academy.inject({ url: "/issuer/jwks", headers: { host } }),
      await other.inject({ url: "/issuer/jwks", headers: { host } }),
    ].map((answer) => (answer.json() as { keys: { kid: string; d?: string }[] }).keys);
    for (const keys of listed) for (const key of keys) expect(key.d).toBeUndefined();
    expect(listed[0]).toEqual(listed[1]);
    return listed[0]?.map(({ kid }) => kid) ?? [];
  };
  const before = await academy.visitor().signUpAtIssuer();
  const [first = ""] = await published();
  expect(kidOf(await tokenOf(before))).toBe(first);

  const there = { DATA_DIR: academy.dataDir, DATABASE_URL: addressOf(academy.database) };
  const { said, code } = await operate(["rotate-signing-key"], there);
  expect([code, said]).toEqual([0, expect.stringContaining("A new key is published")]);
  // Either of them took the job, and the other one reads the keys when its clock moves.
  await academy.advance("1s");
  await other.advance("1s");
  const [, second = ""] = await published();
  expect(await published()).toEqual([first, second]);
  expect(kidOf(await tokenOf(await academy.visitor().signUpAtIssuer()))).toBe(first);

  await academy.advance("1h");
  await other.advance("1h");
  expect(await published()).toEqual([second, first]);
  expect(kidOf(await tokenOf(await academy.visitor().signUpAtIssuer()))).toBe(second);
  expect((await before.call(getCurrentUser)).status).toBe(200);
  const left = await before.navigate("/api/logout");
  expect([left.status, left.url.pathname]).toEqual([200, "/"]);
});
