import { expect } from "vitest";
import { listAnnouncements } from "#contract/admin/announcements.ts";
import { listAllBookings } from "#contract/admin/coaching.ts";
import { listCoupons } from "#contract/admin/coupons.ts";
import { getReconciliation } from "#contract/admin/reconciliation.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

// Two rows at a time have an equal key.
const rows = "generate_series(1, 5) as n, lateral (select timestamptz '2026-01-01' + n / 2 * interval '1 day' as at)";
const user = "(select id from users order by id limit 1)";

type Query = { readonly limit?: string; readonly after?: string };

const lists = [
  {
    list: "discrepancies",
    insert: `insert into discrepancies (id, key, kind, found_at) select 'row' || n, n, 'unknown-here', at from ${rows}`,
    change: "update discrepancies set resolved_at = found_at where id = $1",
    read: (query: Query) => admin.call(getReconciliation, { query: { state: "open", ...query } }),
  },
  {
    list: "bookings",
    insert: `insert into bookings (id, coach_id, user_id, starts_at, ends_at, student_zone, room, created_at, state)
      select 'row' || n, user_id, ${user}, at, at + interval '1 hour', 'UTC', n, at, 'held'
      from ${rows}, (select user_id from coaches limit 1)`,
    change: "update bookings set starts_at = starts_at - interval '1 year' where id = $1",
    read: (query: Query) => admin.call(listAllBookings, { query }),
  },
  {
    list: "coupons",
    insert: `insert into coupons
        (code, kind, percent, plans, starts_at, ends_at, first_purchase_only, is_active, created_at)
      select 'CODE' || n, 'percent', 10, '{basic}', at, at + interval '1 day', false, true, at from ${rows}`,
    change: "update coupons set is_active = false where code = $1",
    read: (query: Query) => admin.call(listCoupons, { query }),
  },
  {
    list: "announcements",
    insert: `insert into announcements (id, subject, text, audience, created_at)
      select 'row' || n, 'Hello', 'Hello', 'everybody', at from ${rows}`,
    change: "update announcements set state = 'done' where id = $1",
    read: (query: Query) => admin.call(listAnnouncements, { query }),
  },
];

test.for(lists)("pages of $list show each row once, though it changes in between", async ({ insert, change, read }) => {
  await academy.pool.query(
    `insert into coaches (user_id, display_name, time_zone, created_at, updated_at)
      values (${user}, 'A coach', 'UTC', now(), now()) on conflict do nothing`,
  );
  expect((await academy.pool.query(insert)).rowCount).toBe(5);
  const idsOf = async (query: Query) => {
    const { status, body } = await read(query);
    expect(status).toBe(200);
    return body.rows.map(({ id }) => id);
  };
  const all = await idsOf({});
  expect(new Set(all).size).toBe(all.length);
  const walked: string[] = [];
  for (let page = await idsOf({ limit: "1" }); page[0]; page = await idsOf({ limit: "1", after: page[0] })) {
    walked.push(page[0]);
    await academy.pool.query(change, [page[0]]);
  }
  expect(walked).toEqual(all);
});
