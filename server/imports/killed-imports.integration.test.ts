import { expect, test } from "vitest";
import {
  type CheckedImport,
  checkImport,
  getImport,
  importErrorsUrl,
  inviteImported,
  startImport,
  stopImport,
} from "#contract/admin/imports.ts";
import type { Academy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { openTwoNodes } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

/** `killed-imports.long.test.ts` has 10,000 rows, and kills three times. */
const size = Number(process.env.IMPORT_ROWS ?? 300);
const bad = (size * 3) / 100;
const kills = size > 1000 ? 3 : 1;

const opened = await forFile(openTwoNodes(kills > 1));

async function upload(admin: Visitor, list: string): Promise<CheckedImport> {
  const form = new FormData();
  form.append("file", new File([list], "list.csv"));
  return (await (await admin.send("POST", checkImport.path, form)).json()) as CheckedImport;
}

test("invitations that are stopped and sent again on two nodes reach each address once [N11]", async () => {
  const { nodes, pool } = opened;
  // Both nodes do the work; calls to the second would have the first one's address as their origin.
  const admin = await nodes[0].visitor().signInAsDemo("admin@academy.test");
  const addresses = Array.from({ length: 30 }, (_, n) => `invited-${n}@example.test`);
  const { id } = await upload(admin, `email\n${addresses.join("\n")}\n`);
  const at = { params: { id }, body: {} };
  await admin.call(startImport, at);
  const read = async () => (await pool.query("select * from imports where id = $1", [id])).rows[0];
  await until(async () => (await read()).state === "done");
  const sent = async () => {
    const { rows } = await pool.query<{ sent: number }>(
      "select count(*)::int as sent from import_rows where import_id = $1 and sent_at is not null",
      [id],
    );
    return rows[0]?.sent ?? 0;
  };
  for (const least of [1, 12]) {
    const begun = await Promise.all([admin.call(inviteImported, at), admin.call(inviteImported, at)]);
    expect(begun.map(({ status }) => status)).toContain(200);
    await until(async () => (await sent()) >= least);
    await admin.call(stopImport, at);
  }
  await admin.call(inviteImported, at);
  await until(async () => (await read()).sending === "done");
  expect(await sent()).toBe(30);
  const reached = (await nodes[0].mails()).filter(({ to }) => /^invited-/.test(String(to)));
  expect(reached.map(({ to }) => String(to)).toSorted()).toEqual(addresses.toSorted());
}, 120_000);

test("an import on nodes that are killed meanwhile gives each row once, and its errors import cleanly [N12]", async () => {
  const { nodes, pool } = opened;
  const [first] = nodes;
  const known = Math.floor(size / 3);
  await pool.query(`insert into users (id, email, email_verified, created_at, updated_at)
    select 'moved-' || n, 'moved-' || n || '@example.test', true, now() - interval '1 day', now() from generate_series(0, ${known - 1}) n`);
  const admin = await first.visitor().signInAsDemo("admin@academy.test");
  const rows = Array.from({ length: size }, (_, n) => `moved-${n}${n < size - bad ? "@" : " at "}example.test,premium`);
  const list = `email,plan\n${rows.join("\n")}\n`;
  const checked = await upload(admin, list);
  expect(checked.counts).toEqual({ new: size - bad - known, changed: known, same: 0, refused: bad });
  await admin.call(startImport, { params: { id: checked.id }, body: {} });

  const read = async () => (await pool.query("select * from imports where id = $1", [checked.id])).rows[0];
  // Who moves the clock waits for what falls due, and this test ends the nodes that it waits for.
  const moved: Promise<unknown>[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await read()).done >= (size * kill) / 8);
    const victim = nodes[nodes.length - (kill % (kills > 1 ? 2 : 1)) - 1] as Academy;
    await victim.kill();
    // The second of two nodes need not come back.
    if (kills > 1) await victim.start();
    // What it had claimed is taken up after two minutes.
    moved.push(nodes[0].advance("3m").catch(() => null));
  }
  await Promise.all(moved);
  await until(async () => (await read()).state === "done", 1800);
  expect(await read()).toMatchObject({ done: size - bad, skipped: 0 });
  const given = `select count(*)::int as people from (
    select user_id from grants where source = 'import' group by 1 having count(*) = 1) as one`;
  expect((await pool.query(given)).rows).toEqual([{ people: known }]);

  await admin.signInAsDemo("admin@academy.test");
  expect((await upload(admin, list)).counts).toEqual({ new: 0, changed: 0, same: size - bad, refused: bad });
  const errors = await (await admin.send("GET", importErrorsUrl(checked.id))).text();
  const corrected = await upload(admin, errors.replaceAll(" at ", "@"));
  expect(corrected.counts).toEqual({ new: bad, changed: 0, same: 0, refused: 0 });
  const { body } = await admin.call(getImport, { params: { id: checked.id } });
  expect(body.outcomes).toEqual({ given: known, invited: size - bad - known, refused: bad });
}, 900_000);
