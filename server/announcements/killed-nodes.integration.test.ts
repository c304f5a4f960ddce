import { expect, test } from "vitest";
import { createAnnouncement, sendAnnouncement } from "#contract/admin/announcements.ts";
import { HOUR } from "#server/base/clock.ts";
import { forFile } from "#test/fixtures.ts";
import { advanceInterrupted, openInterrupted } from "#test/interrupted.ts";
import { until } from "#test/until.ts";

/** The number of recipients. `killed-nodes.long.test.ts` has more. */
const size = Number(process.env.CROWD ?? 20);
const kills = size > 1000 ? 8 : 1;

const opened = await forFile(openInterrupted(kills > 1));
const { first, pool } = opened;

test("announcements, sent or scheduled, that are interrupted reach each subscriber once [N01 N02 N18]", async () => {
  await pool.query(`insert into users (id, email, email_verified, has_purchased_course, purchased_tier, account_status,
      created_at, updated_at)
    select 'crowd-' || n, 'crowd-' || n || '@example.test', true, true, 'premium', 'active', now(), now()
    from generate_series(1, ${size * 1.2}) n`);
  // A tenth before it is sent, another tenth after the recipients are fixed.
  const unsubscribe = (from: number, to: number) =>
    pool.query(
      `insert into announcement_choices (user_id, wanted, updated_at)
       select 'crowd-' || n, false, now() from generate_series(${from}, ${to}) n`,
    );
  await unsubscribe(1, size / 10);
  const admin = await first.visitor().signInAsDemo("admin@academy.test");
  // By their tier, some are lost meanwhile: nobody gave them access, which a regular job sees.
  const body = { subject: "To the crowd", text: "Hello.", button: null, audience: "everybody" };
  const { id } = (await admin.call(createAnnouncement, { body })).body;
  const started = await admin.call(sendAnnouncement, { params: { id }, body: { recipients: size * 2 } });
  expect(started.status).toBe(200);
  const [day = "", time = ""] = new Date((await first.now()) + 12 * HOUR).toISOString().split(/[T.]/);
  const later = (await admin.call(createAnnouncement, { body: { ...body, subject: "To the crowd later" } })).body.id;
  const sendAt = { day, time: time.slice(0, 5), zone: "academy" } as const;
  const scheduled = await admin.call(sendAnnouncement, {
    params: { id: later },
    body: { recipients: size * 2, sendAt },
  });
  expect(scheduled.body.state).toBe("scheduled");
  await unsubscribe(size / 10 + 1, size / 5);

  const countSent = async () =>
    (await pool.query<{ done: number }>("select done from announcements where id = $1", [id])).rows[0]?.done ?? 0;
  await advanceInterrupted(opened, "1d", kills, async (share) => (await countSent()) >= size * share);
  const [sent, sentLater] = await until(async () => {
    const { rows } = await pool.query("select * from announcements where state = 'done' order by created_at");
    return rows.length === 2 && rows;
  }, 1800);

  const all = (await first.mails()).filter(({ to }) => to.startsWith("crowd-"));
  for (const { subject } of [sent, sentLater]) {
    const mails = all.filter((mail) => mail.subject === subject);
    const numbers = mails.map(({ to }) => Number(/\d+/.exec(to)?.[0])).toSorted((a, b) => a - b);
    expect(numbers, subject).toEqual(Array.from({ length: size }, (_, at) => size / 5 + at + 1));
  }
  expect(sent.done + sent.skipped).toBe(sent.people);
  expect(sent.skipped).toBe(size / 10);
  expect(sentLater).toMatchObject({ people: sentLater.done, skipped: 0 });
}, 7_200_000);
