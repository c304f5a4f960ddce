import { and, sql } from "drizzle-orm";
import { expect } from "vitest";
import { countUsers, getUserDetail, listUsers } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { updateProfile } from "#contract/profile.ts";
import { contacts } from "#server/contact/tables.ts";
import { openDb } from "#server/db/db.ts";
import { containsWords } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

const { academy, administrator: admin, test } = await academyOfFile();
await academy.pool.query(`
  insert into users (id, email, first_name, last_name, account_status, purchased_tier, created_at, updated_at)
  select 'crowd' || n, 'crowd' || n || '@example.test', 'First' || n % 7, 'Last' || n % 11,
    case when n = 200 then 'deleted' when n % 50 = 0 then 'on_hold' else 'active' end,
    case when n % 9 = 0 then 'vip' end, timestamptz '2020-01-01' + n / 3 * interval '1 minute', now()
  from generate_series(1, 200) as n`);

const list = async (query: Record<string, string> = {}) => (await admin.call(listUsers, { query })).body;
const idsOf = (users: readonly { id: string }[]) => users.map(({ id }) => id);
const total = async (query: Record<string, string>) => (await admin.call(countUsers, { query })).body.total;

/** Follows a list to its end. */
async function walk(query: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = await list(query); page.length > 0; page = await list({ ...query, after: ids.at(-1) ?? "" })) {
    ids.push(...idsOf(page));
  }
  return ids;
}

test("the plain list is an array of the newest users, with the fields of the specification", async () => {
  const newest = await list();
  expect(newest).toHaveLength(50);
  const shown = newest.find(({ email }) => email === "held@academy.test");
  expect(shown).toMatchObject({
    firstName: "Walter",
    lastName: "Nguyen",
    hasPurchasedCourse: true,
    accountStatus: "on_hold",
    suspensionReason: expect.stringContaining("declined"),
  });
  for (const field of ["profileImageUrl", "phone", "location", "bio", "createdAt", "updatedAt"]) {
    expect(shown).toHaveProperty(field);
  }
});

test.each(["createdAt", "email", "name", "tier", "status"])(
  "paging by %s shows every user once, both ways, and no deleted one",
  async (sort) => {
    const up = await walk({ sort, order: "asc", limit: "60" });
    expect(new Set(up).size).toBe(up.length);
    expect(up.filter((id) => id.startsWith("crowd"))).toHaveLength(199);
    expect(up).not.toContain("crowd200");
    expect(up.length).toBe(await total({}));
    expect(await walk({ sort, order: "desc", limit: "60" })).toEqual(up.toReversed());
  },
);

test("sign-ups meanwhile shift no page", async () => {
  const first = await list({ limit: "20" });
  await academy.visitor().signUp();
  const second = await list({ limit: "20", after: first.at(-1)?.id ?? "" });
  expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
  expect((await admin.call(listUsers, { query: { after: "nobody-here" } })).status).toBe(404);
});

test("search finds each word in name or address in any case, filters narrow it, and the count agrees", async () => {
  expect(idsOf(await list({ search: "LAST3 first3" }))).toEqual(["crowd157", "crowd80", "crowd3"]);
  expect(await total({ search: "LAST3 first3" })).toBe(3);
  expect(idsOf(await list({ search: "crowd17@" }))).toEqual(["crowd17"]);
  expect((await list({ status: "on_hold", search: "crowd" })).length).toBe(3);
  expect((await list({ status: "blocked", search: "crowd" })).length).toBe(3);
  expect(await total({ tier: "vip", search: "crowd" })).toBe(22);
  expect(await total({ tier: "none", status: "on_hold", search: "crowd" })).toBe(3);
});

test.each([
  ["nunez", "Núñez"],
  ["NÚÑEZ", "Nunez"],
  ["lukasz", "Łukasz"],
  ["STRASSE", "Straße"],
  ["jorgen", "Jørgen"],
  ["o’brien", "O'Brien"],
  ["O'Brien", "Oʼbrien"],
  ["O´Brien", "O‘Brien"],
  ["jean-luc", "Jean\u2011Luc"],
  ["zoe", "Zoe\u0308"],
  ["ёлкин", "Елкин"],
])("a search for %s finds %s", async (search, lastName) => {
  await academy.pool.query(
    "insert into users (id, email, last_name, created_at, updated_at) values ($1, $1 || '@example.test', $1, '2020-01-01', now()) on conflict do nothing",
    [lastName],
  );
  expect(idsOf(await list({ search }))).toContain(lastName);
});

test.each([
  ["users_search", users],
  ["contacts_search", contacts],
])("searches use the index %s", async (index, table) => {
  const db = openDb(academy.pool as Parameters<typeof openDb>[0]);
  const plan = await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute(
      sql`explain select id from ${table} where ${and(...containsWords(table.searchText, "ada lovelace"))}`,
    );
  });
  expect(JSON.stringify(plan)).toContain(index);
});

test("SQL characters are searched as text [F09]", async ({ student }) => {
  const hostile = {
    firstName: `a%b_c\\d'e"f`,
    lastName: "<script>alert(1)</script>",
    phone: "",
    location: "",
    bio: "",
  };
  await student.call(updateProfile, { body: hostile });
  for (const search of [`a%b_c\\d'e"f`, "%b_", "\\", "<script>"]) {
    expect(await list({ search }), search).toMatchObject([hostile.firstName].map((firstName) => ({ firstName })));
  }
  for (const search of ["%%", "c_d", "' or 1=1 --", "crowd_7"]) expect(await list({ search }), search).toEqual([]);
});

test.each([
  { sort: "email; drop table users" },
  { order: "sideways" },
  { limit: "0" },
  { limit: "201" },
  { limit: "NaN" },
  { after: "../x" },
  { tier: "gold" },
  { status: "deleted" },
  { search: "\0" },
  { search: "x".repeat(101) },
  { surprise: "1" },
] as Record<string, string>[])("the list refuses %j [F04 F08]", async (query) => {
  expect((await admin.call(listUsers, { query })).status).toBe(400);
});

test("the detail says who it is, what opened the course and why, what was paid, learned and written", async () => {
  const student = await academy.buyer("basic");
  const saved = await student.send("PUT", "/api/user/progress/lesson-1-1", JSON.stringify({ isCompleted: true }));
  expect(saved.status).toBe(200);
  await student.call(sendContactMessage, {
    body: { name: "Jo", email: student.email, message: "Where is my receipt?" },
  });
  const userId = await student.id();
  const { status, body } = await admin.call(getUserDetail, { params: { userId } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user: { id: userId, email: student.email, purchasedTier: "basic" },
    access: { tier: "basic", source: "purchase", until: expect.any(String) },
    grants: [{ tier: "basic", source: "purchase", isInForce: true, endedAt: null }],
    purchases: [{ tier: "basic", amount: "49.00", status: "completed", subscriptionStatus: "active" }],
    paid: { chargedCents: 4900, refundedCents: 0 },
    card: { last4: expect.stringMatching(/^\d{4}$/), state: "renews" },
    lastSeenAt: expect.any(String),
    attempts: [{ kind: "initial", amount: "49.00", state: "approved" }],
    refunds: [],
    progress: { lessonsStarted: 1, lessonsCompleted: 1, lessons: [{ lessonId: "lesson-1-1", isCompleted: true }] },
    sessions: 1,
    signIns: [{ issuer: "built-in" }],
  });
  expect(body.user.may).toEqual({
    upgradeTo: "premium",
    downgradeTo: null,
    cancelSubscription: true,
    hold: body.purchases[0]?.subscriptionId,
    suspend: true,
    reactivate: false,
    delete: true,
    endSessions: true,
  });
});

test("the detail lists what a student downloaded", async () => {
  const [resource] = await upload(admin, [{ name: "labels.pdf", content: samples.pdf }], { title: "Label sheet" });
  const student = await academy.visitor().signInAsDemo("premium@academy.test");
  expect((await student.send("GET", `/api/download/${resource?.id}`)).status).toBe(200);
  const userId = await student.id();
  const { downloads } = (await admin.call(getUserDetail, { params: { userId } })).body;
  expect(downloads).toMatchObject([{ resourceId: resource?.id, title: "Label sheet" }]);
});

test("a message counts as a person's own only when the address is verified [C07]", async ({ student: stranger }) => {
  await stranger.call(sendContactMessage, { body: { name: "X", email: stranger.email, message: "Am I this person?" } });
  await stranger.call(sendContactMessage, {
    body: { name: "X", email: "vip@academy.test", message: "Am I the real one?" },
  });
  const detailOf = async (email: string) => {
    const [user] = await list({ search: email });
    return (await admin.call(getUserDetail, { params: { userId: user?.id ?? "" } })).body;
  };
  expect((await detailOf(stranger.email)).contacts).toEqual([]);
  expect((await detailOf("vip@academy.test")).contacts).toMatchObject([
    { message: "Am I the real one?", state: "new" },
  ]);
});

test("a deleted and an invented user are not found", async () => {
  for (const userId of ["crowd200", "00000000000000000000"]) {
    expect((await admin.call(getUserDetail, { params: { userId } })).status).toBe(404);
  }
});
