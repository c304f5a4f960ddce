import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { previewBulkAction, startBulkAction, undoBulkAction } from "#contract/admin/bulk-actions.ts";
import { forFile } from "#test/fixtures.ts";
import { openInterrupted } from "#test/interrupted.ts";
import { until } from "#test/until.ts";

/** `killed-nodes.long.test.ts` has more people, and kills both nodes. */
const size = Number(process.env.BULK_PEOPLE ?? 24);
const times = size > 100 ? 2 : 1;

const { first, pool, interrupt } = await forFile(openInterrupted(times > 1));

test("a bulk grant that is interrupted is made and undone once for each person [W02]", async () => {
  await pool.query(`insert into users (id, email, email_verified, created_at, updated_at)
    select 'crowd-' || n, 'crowd-' || n || '@example.test', true, now() - interval '1 day', now() from generate_series(1, ${size}) n`);
  const admin = await first.visitor().signInAsDemo("admin@academy.test");
  const asked = { selection: { filter: { search: "crowd-" } }, operation: { kind: "grant", tier: "premium" } };
  const { preview } = (await admin.call(previewBulkAction, { body: asked })).body;
  const call = { params: { id: randomUUID() }, body: { ...asked, preview } };
  const started = await Promise.all([admin.call(startBulkAction, call), admin.call(startBulkAction, call)]);
  expect(started.map(({ status }) => status)).toEqual([200, 200]);
  await interruptEach(call.params.id);

  const given = `select count(*)::int as people from (
    select user_id from grants where user_id like 'crowd-%' and source = 'administrator' group by 1 having count(*) = 1) as one`;
  expect((await pool.query(given)).rows).toEqual([{ people: size }]);
  const audited = `select action, count(*)::int as people from audit_log where subject like 'crowd-%' group by 1 order by 1`;
  expect((await pool.query(audited)).rows).toEqual([{ action: "change tier", people: size }]);

  await admin.signInAsDemo("admin@academy.test");
  const undo = await admin.call(undoBulkAction, { params: call.params, body: {} });
  expect(undo.status, JSON.stringify(undo.body)).toBe(200);
  await interruptEach(undo.body.id);
  expect((await pool.query(audited)).rows).toEqual([
    { action: "change tier", people: size },
    { action: "take back plan", people: size },
  ]);
  const left = "select count(*)::int as people from users where id like 'crowd-%' and purchased_tier is not null";
  expect((await pool.query(left)).rows).toEqual([{ people: 0 }]);
}, 600_000);

/** Interrupts the action while it is under way. Then what was begun is taken up. */
async function interruptEach(id: string): Promise<void> {
  const read = async () => (await pool.query("select * from bulk_actions where id = $1", [id])).rows[0];
  // Who moves the clock waits for what falls due, and this test ends the nodes that it waits for.
  const moved: Promise<unknown>[] = [];
  for (let time = 1; time <= times; time++) {
    await until(async () => (await read()).done >= (size * time) / 8);
    await interrupt();
    // What a killed node had claimed is taken up after two minutes.
    moved.push(first.advance("3m").catch(() => null));
  }
  await Promise.all(moved);
  await until(async () => (await read()).state === "done", 1800);
  expect(await read()).toMatchObject({ people: size, done: size, skipped: 0 });
}
