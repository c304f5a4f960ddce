import { expect, test, vi } from "vitest";
import { openDb } from "#server/db/db.ts";
import { databaseOfFile } from "#test/fixtures.ts";
import { openLastingHash } from "./mailboxes.ts";

const { pool } = await databaseOfFile();
const db = openDb(pool);

const [first, second, third] = ["first", "second", "third"].map((word) => `${word} secret of at least 32 characters`);

async function hashWith(...secrets: (string | undefined)[]) {
  const onLost = vi.fn();
  const hash = await openLastingHash(db, secrets as string[], new Date(), onLost);
  return { hash: hash("ada@example.test").toString("hex"), isLost: onLost.mock.calls.length > 0 };
}

test("a hash stays the same while SESSION_SECRET is rotated, and a key without its secret is kept", async () => {
  // Two nodes start at once.
  const [one, other] = await Promise.all([hashWith(first), hashWith(first)]);
  expect(other).toEqual(one);
  const { rows } = await pool.query(
    "select value::text as text from operational_marks where name = 'mailbox-hash-keys'",
  );
  expect(JSON.parse(rows[0].text)).toEqual([[expect.any(String)]]);

  // While it is rotated, nodes with both and nodes with the old one start.
  expect(await hashWith(second, first)).toEqual(one);
  expect(await hashWith(first)).toEqual(one);
  expect(await hashWith(second, first)).toEqual(one);
  expect(await hashWith(second)).toEqual(one);

  const lost = await hashWith(third);
  expect(lost).toEqual({ hash: expect.not.stringMatching(one.hash), isLost: true });
  expect(await hashWith(third)).toEqual({ ...lost, isLost: false });
  expect(await hashWith(second)).toEqual(one);
  expect(await hashWith(third, second)).toEqual({ ...one, isLost: false });
});
