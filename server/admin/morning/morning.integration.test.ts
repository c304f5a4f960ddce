import { expect } from "vitest";
import type { z } from "zod";
import { listAllBookings } from "#contract/admin/coaching.ts";
import { countContacts, listContacts, replyToContact } from "#contract/admin/contacts.ts";
import { getMorning } from "#contract/admin/morning.ts";
import { countPurchases } from "#contract/admin/purchases.ts";
import { countAdminQuestions } from "#contract/admin/questions.ts";
import { getMoney, getStats } from "#contract/admin/statistics.ts";
import {
  cancelUserSubscription,
  countUsers,
  getUserDetail,
  listUsers,
  suspendAccount,
  type UserFilter,
  updateUserTier,
} from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { booksOf } from "#test/books.ts";
import { bookAhead } from "#test/coaching.ts";
import { draft } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const morning = async (by = admin) => (await by.call(getMorning)).body;
const usersWho = async (show: NonNullable<z.input<typeof UserFilter>["show"]>) =>
  (await admin.call(countUsers, { query: { show } })).body.total;
const purchasesWith = async (subscription: "due" | "unresolved") =>
  (await admin.call(countPurchases, { query: { subscription } })).body.total;
const attemptOf = async ({ email }: Visitor) =>
  (await admin.call(listUsers, { query: { search: email } })).body[0]?.lastAttempt;

test("today's and this month's money is that of the report, and changes with each payment and refund", async () => {
  const before = await morning();
  const { purchaseId } = await academy.purchase("basic");
  await academy.buyer("premium");
  await booksOf(admin).refund(purchaseId);
  const { money } = await morning();
  const { today, month, monthBefore } = money ?? {};
  const { revenueCents = 0, newSubscriptions = 0, lostSubscriptions = 0 } = before.money?.today ?? {};
  expect(today).toMatchObject({
    revenueCents: revenueCents + 39_700,
    newSubscriptions: newSubscriptions + 1,
    lostSubscriptions: lostSubscriptions + 1,
  });
  const day = new Date(await academy.now()).toISOString().slice(0, 10);
  expect([today?.from, today?.to, month?.to]).toEqual([day, day, day]);
  expect(month?.from).toBe(`${day.slice(0, 7)}-01`);
  expect(monthBefore?.to.slice(0, 7)).toBe(monthBefore?.from.slice(0, 7));
  expect(Number(monthBefore?.to.slice(8))).toBeLessThanOrEqual(Number(day.slice(8)));
  for (const span of [today, month, monthBefore]) {
    const query = { by: "day", from: span?.from ?? "", to: span?.to ?? "" } as const;
    const { total } = (await admin.call(getMoney, { query })).body;
    expect(span).toMatchObject({
      revenueCents: Math.round(total.revenue * 100),
      newSubscriptions: total.newSubscriptions,
      lostSubscriptions: total.lostSubscriptions,
    });
  }
});

test("who was declined today is counted, and found in the list with the last attempt", async () => {
  const before = await morning();
  const paying = await academy.buyer("basic");
  const declined = await academy.visitor().signUp();
  await declined.buy("basic", { zip: "46282" });
  const { money } = await morning();
  expect(money?.today.declined).toBe((before.money?.today.declined ?? 0) + 1);
  expect(money?.today.declined).toBe(await usersWho("declined-today"));
  expect(money?.month.declined).toBe(await usersWho("declined-this-month"));
  expect(money?.monthBefore.declined).toBe(await usersWho("declined-last-month-to-date"));
  const found = (await admin.call(listUsers, { query: { show: "declined-today" } })).body;
  const emails = found.map(({ email }) => email);
  expect(emails).toContain(declined.email);
  expect(emails).not.toContain(paying.email);
  expect(await attemptOf(declined)).toMatchObject({ state: "declined" });
  expect(await attemptOf(paying)).toMatchObject({ state: "approved" });
  expect(await attemptOf(await academy.visitor().signUp())).toBeNull();
});

test("access that ends within 30 days and isn't renewed is counted, and found in the list", async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const given = async (newTier: "premium" | "vip", endsAt: string | null, person: Visitor) =>
    admin.call(updateUserTier, { body: { userId: await person.id(), newTier, endsAt } });
  const [soon, late, renewing, cancelled, both] = await Promise.all([
    ...Array.from({ length: 2 }, () => academy.visitor().signUp()),
    academy.buyer("basic"),
    academy.buyer("basic"),
    academy.visitor().signUp(),
  ]);
  if (!soon || !late || !renewing || !cancelled || !both) throw new Error("five were made");
  await given("premium", inDays(5), soon);
  await given("premium", inDays(40), late);
  await admin.call(cancelUserSubscription, { body: { userId: await cancelled.id() } });
  await given("vip", inDays(5), both);
  await given("premium", inDays(90), both);
  const found = (await admin.call(listUsers, { query: { show: "ends-soon", limit: "200" } })).body;
  const emails = found.map(({ email }) => email);
  expect([soon, late, renewing, cancelled, both].map(({ email }) => emails.includes(email))).toEqual([
    ...[true, false, false, true, false],
  ]);
  expect((await morning()).ends).toBe(await usersWho("ends-soon"));
});

test("messages, drafts, questions and sessions that wait are those of their lists", async () => {
  const before = await morning();
  const writer = await academy.visitor().signUp();
  await writer.call(sendContactMessage, { body: { name: "Jo", email: writer.email, message: "Where is my receipt?" } });
  await draft(admin, "modules", "module-1", { title: "Another title" });
  const student = await academy.buyer("vip");
  const held = await bookAhead(student, academy, 3);
  await academy.pool.query(
    "update bookings set state = 'held', is_over = true, starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1",
    [held.id],
  );

  const now = await morning();
  expect(now.messages).toBe((before.messages ?? 0) + 1);
  expect(now.drafts).toBe((before.drafts ?? 0) + 1);
  expect(now.withoutSummary).toBe((before.withoutSummary ?? 0) + 1);
  expect(now.messages).toBe((await admin.call(countContacts, { query: { state: "unanswered" } })).body.total);
  expect(now.questions).toBe((await admin.call(countAdminQuestions, { query: { show: "to-review" } })).body.total);
  for (const [show, count] of [
    ["today", now.sessions?.count],
    ["without-summary", now.withoutSummary],
  ] as const) {
    expect((await admin.call(listAllBookings, { query: { show } })).body.total, show).toBe(count);
  }

  const [message] = (await admin.call(listContacts, { query: { state: "unanswered" } })).body;
  await admin.call(replyToContact, { body: { contactId: message?.id ?? "", text: "Under Profile." } });
  expect((await morning()).messages).toBe(before.messages);
});

test("support is told of messages and people, and of no money or drafts [Z46]", async () => {
  const support = await inRole(academy, "support");
  const seen = await morning(support);
  expect(seen).toMatchObject({ money: null, drafts: null, renewals: { cents: null } });
  const all = await morning();
  const { messages, questions, ends, sessions } = all;
  expect(seen).toMatchObject({ messages, questions, ends, sessions });
  expect(await purchasesWith("unresolved")).toBe(all.declined?.count);
});

// Last, because it moves the clock.
test("renewals of seven days, and declined cards until the last attempt, agree with their lists", async () => {
  const early = await morning();
  const [userId, disputing] = [await (await academy.buyer("basic")).id(), await (await academy.buyer("basic")).id()];
  expect((await morning()).renewals?.count).toBe(early.renewals?.count);
  await academy.advance("24d", admin);
  const due = await morning();
  expect(due.renewals?.count).toBe(await purchasesWith("due"));
  expect(due.renewals?.count).toBeGreaterThan(0);
  expect(due.renewals?.cents).toBe((due.renewals?.count ?? 0) * 4900);
  const support = await inRole(academy, "support");
  expect((await morning(support)).renewals).toEqual({ count: due.renewals?.count, cents: null });
  expect((await admin.call(suspendAccount, { body: { userId, reason: "test" } })).status).toBe(200);
  await academy.pool.query(
    "insert into discrepancies (id, key, kind, user_id, found_at) values ('one', 'one', 'disputed', $1, now())",
    [disputing],
  );
  const left = (due.renewals?.count ?? 0) - 2;
  expect([(await morning()).renewals, await purchasesWith("due")]).toEqual([{ count: left, cents: left * 4900 }, left]);

  const student = await academy.buyer("basic");
  const params = { userId: await student.id() };
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d1m", admin);
  const { declined } = await morning();
  expect(declined?.count).toBe(await purchasesWith("unresolved"));
  expect((await admin.call(getStats)).body.declinedSubscriptions).toBe(declined?.count);
  expect((await admin.call(getUserDetail, { params })).body.card).toMatchObject({ state: "declined" });
  expect(Date.parse(declined?.nextAttemptAt ?? "")).toBeGreaterThan(await academy.now());
  const isUnresolved = async () =>
    (await admin.call(countPurchases, { query: { subscription: "unresolved", search: student.email } })).body.total;
  expect(await isUnresolved()).toBe(1);
  // The last retry fails, so nothing more is awaited.
  await academy.nextChargesOf(student, "decline");
  await academy.advance("15d", admin);
  expect(await isUnresolved()).toBe(0);
  expect((await morning()).declined?.count).toBe(await purchasesWith("unresolved"));
  expect((await admin.call(getStats)).body.declinedSubscriptions).toBe(await purchasesWith("unresolved"));
});
