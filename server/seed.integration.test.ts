import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { demoAccounts } from "#content/demo-accounts.ts";
import { getSlots } from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest } from "#test/fixtures.ts";
import { freePort } from "#test/free-port.ts";
import { programEnv } from "#test/program-env.ts";
import { folderOfTest } from "#test/temporary-folder.ts";

/** How many rows of a table the seed has written when it is killed. `seed.long.test.ts` kills at all of them. */
const points = [
  ["payment_attempts", 4],
  ["course_resources", 2],
  ["payment_attempts", 1],
  ["purchases", 3],
  ["payment_attempts", 7],
  ["course_progress", 20],
] as const;
const kills = process.env.SEED_KILLS === "all" ? points : points.slice(0, 1);

test.for(kills)("a seed killed when %s had %i rows is finished by the next start alone", async ([table, count]) => {
  const folder = folderOfTest();
  const { database, pool } = await databaseOfTest();
  const client = await pool.connect();
  onTestFinished(() => client.release());
  const rowsOf = async (statement: string) => (await client.query(statement)).rows;
  await client.query(`create function tell() returns trigger language plpgsql as $$ begin notify written; return null; end $$;
    create trigger tell after insert on ${table} execute function tell();
    listen written`);

  const env = { DATA_DIR: folder, DATABASE_URL: addressOf(database), DEMO_HISTORY: "none" };
  const first = spawn(process.execPath, ["server/main.ts"], {
    env: { ...programEnv, PORT: String(await freePort()), ...env },
    stdio: "ignore",
  });
  const ended = once(first, "exit");
  const reached = new Promise<void>((resolve) => {
    client.on("notification", async () => {
      if ((await rowsOf(`select count(*)::int as count from ${table}`))[0].count >= count) resolve();
    });
  });
  await Promise.race([reached, ended]);
  first.kill("SIGKILL");
  await ended;

  await using academy = await openAcademyInProcess({ DATA_DIR: folder }, database);
  expect((await rowsOf("select from operational_marks where name = 'demo-seeded'")).length).toBe(1);
  const people = await rowsOf(`select u.email, u.account_status as state, p.tier, count(p.id)::int as purchases
    from users u left join purchases p on p.user_id = u.id and p.status = 'completed' group by 1, 2, 3 order by 1`);
  const tiers = { basic_monthly: "basic", premium_annual: "premium", vip_lifetime: "vip" };
  const expected = demoAccounts.map(({ email, state, plan }) => ({
    email,
    state,
    tier: plan && tiers[plan],
    purchases: plan ? 1 : 0,
  }));
  expect(people).toEqual(expected.sort((one, other) => (one.email < other.email ? -1 : 1)));
  const charges = (await academy.ledger()).filter(({ responseCode }) => responseCode === "1");
  expect(charges.length, "each purchase was charged once").toBe(expected.filter(({ tier }) => tier).length);
  expect(
    (await rowsOf("select title, count(*) from course_resources group by 1, module_id having count(*) > 1")).length,
  ).toBe(0);
  expect(await rowsOf("select id from payment_attempts where state in ('sent', 'unknown', 'held')")).toEqual([]);
  expect(await rowsOf("select email from users where role = 'support'")).toEqual([{ email: "helpdesk@academy.test" }]);
  const { coaches } = (await (await academy.visitor().signInAsDemo("vip@academy.test")).call(getSlots)).body;
  expect(coaches).toMatchObject([{ name: "Dana", startsAt: expect.arrayContaining([expect.any(String)]) }]);

  // A later start gives nobody a role that was taken.
  await pool.query("update users set role = null");
  await academy.stop();
  await academy.start();
  const support = await academy.visitor().signInAsDemo("helpdesk@academy.test");
  expect((await support.call(getCurrentUser)).body.role).toBeNull();
});
