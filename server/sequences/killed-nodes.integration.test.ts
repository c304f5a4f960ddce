import { expect, test } from "vitest";
import { changeSequences } from "#contract/admin/sequences.ts";
import { forFile } from "#test/fixtures.ts";
import { advanceInterrupted, openInterrupted } from "#test/interrupted.ts";
import { zoneWithNoonAt } from "#test/sequence-people.ts";
import { until } from "#test/until.ts";

/** People. `killed-nodes.long.test.ts` has more, and more kills. */
const size = Number(process.env.CROWD ?? 20);
const kills = size > 100 ? 6 : 1;

const opened = await forFile(openInterrupted(kills > 1));
const { first, pool } = opened;

test("welcome emails that are interrupted reach each new student once [N13]", async () => {
  const admin = await first.visitor().signInAsDemo("admin@academy.test");
  const body = { on: ["welcome"], controlPercent: 0 };
  expect((await admin.call(changeSequences, { body })).status).toBe(200);
  const now = new Date((await first.now()) + 60_000);
  const crowd = `generate_series(1, ${size}) n`;
  await pool.query(
    `insert into users (id, email, email_verified, purchased_tier, created_at, updated_at)
     select 'crowd-' || n, 'crowd-' || n || '@example.test', true, 'premium', $1, $1 from ${crowd}`,
    [now],
  );
  await pool.query(
    `insert into grants (id, user_id, tier, source, source_id, starts_at, created_at)
     select 'crowd-' || n, 'crowd-' || n, 'premium', 'administrator', 'crowd-' || n, $1, $1 from ${crowd}`,
    [now],
  );
  // Somewhere it is noon.
  await pool.query(
    `insert into coaching_calendars (user_id, time_zone, updated_at)
     select 'crowd-' || n, $2, $1 from ${crowd}`,
    [now, zoneWithNoonAt(new Date(now.getTime() + 3_600_000))],
  );

  const countSent = async () =>
    (await pool.query("select 1 from sent_emails where kind = 'welcome' and user_id like 'crowd-%'")).rows.length;
  await advanceInterrupted(opened, "61m", kills, async (share) => (await countSent()) >= size * share);
  await until(async () => {
    await first.advance("3m").catch(() => null);
    return (await countSent()) === size;
  }, 1800);
  await first.advance("2h");

  const mails = (await first.mails()).filter(({ to }) => to.startsWith("crowd-"));
  const numbers = mails.map(({ to }) => Number(/\d+/.exec(to)?.[0])).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: size }, (_, at) => at + 1));
}, 7_200_000);
