import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { listContacts, markContact } from "#contract/admin/contacts.ts";
import { getFunnel } from "#contract/admin/figures.ts";
import { getLearning, getMoney, getStats, getWaiting } from "#contract/admin/statistics.ts";
import { cancelUserSubscription } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { booksOf } from "#test/books.ts";
import { changeSettings, draft, publish } from "#test/drafts.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { scrape } from "#test/metrics.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const { hold, refund } = booksOf(admin);

const stats = async () => (await admin.call(getStats)).body;
const money = async (query: Record<string, string> = {}) => (await admin.call(getMoney, { query })).body;

/** The money that the gateway holds, in dollars: approved charges without what was voided or refunded. */
async function heldByGateway(): Promise<number> {
  const ledger = await academy.ledger();
  const cents = (row: { amount: number | string }) => Math.round(Number(row.amount) * 100);
  const sum = (rows: typeof ledger) => rows.reduce((total, row) => total + cents(row), 0);
  const approved = ledger.filter(({ responseCode, status }) => responseCode === "1" && status !== "voided");
  const refunds = approved.filter(({ type }) => type.toLowerCase().includes("refund"));
  const charges = approved.filter(({ type }) => type.toLowerCase().startsWith("auth"));
  return (sum(charges) - sum(refunds)) / 100;
}

// These two first, because they compare the figures of a month.
test("money by day has no gaps and adds up; renewals, declines and recoveries fall on their days", async () => {
  const today = await money({ by: "day" });
  expect(today.periods).toHaveLength(30);
  expect(today.plans.map(({ tier }) => tier)).toEqual(["basic", "premium"]);
  expect(today.plans.reduce((sum, plan) => sum + plan.charged, 0)).toBe(today.total.charged);
  const before = (await money({ by: "month" })).total;

  await academy.nextCharges("decline");
  await academy.advance("31d", admin);
  const declined = (await money({ by: "month" })).total;
  expect(declined).toMatchObject({
    declines: before.declines + 1,
    recoveries: before.recoveries,
    lostSubscriptions: before.lostSubscriptions + 1,
  });
  await academy.advance("4d", admin);
  const recovered = await money({ by: "month" });
  expect(recovered.total.recoveries).toBe(before.recoveries + 1);
  expect(recovered.total.lostSubscriptions).toBe(before.lostSubscriptions);
  expect(recovered.periods).toHaveLength(12);
  for (const figure of ["charged", "refunded", "revenue", "charges", "declines", "newSubscriptions"] as const) {
    const sum = recovered.periods.reduce((total, period) => total + period[figure], 0);
    expect(sum, figure).toBeCloseTo(recovered.total[figure], 2);
  }
  expect(recovered.total.revenue).toBe((await stats()).totalRevenue);
});

test("recurring revenue and active subscriptions count alike, and a hold ends a subscription on its day", async () => {
  const figures = async () => {
    const { subscriptions, mrr } = await money({ by: "week" });
    const lines = (await (await exportList(admin, "money", { by: "week" })).text()).trim().split(/\r?\n/);
    const [names = [], newest = []] = [lines[0], lines.at(-1)].map((line) => line?.split(","));
    const exported = (column: string) => Number(newest[names.indexOf(column)]);
    const metrics = await scrape(academy);
    const metric = (name: string) => Number(new RegExp(`^academy_${name} (.+)$`, "m").exec(metrics)?.[1]);
    expect([exported("Subscriptions"), exported("Recurring per 30 days (USD)")]).toEqual([subscriptions, mrr]);
    expect([metric("subscriptions_active"), metric("recurring_revenue_dollars")]).toEqual([subscriptions, mrr]);
    return { active: (await stats()).activeSubscriptions, subscriptions, mrr };
  };
  const before = await figures();
  expect(before.subscriptions).toBe(before.active);
  expect(await stats()).toMatchObject({ blockedAccounts: 2, openDiscrepancies: 0 });

  const [cancelled, held, replaced, declined] = await Promise.all(
    Array.from({ length: 4 }, () => academy.buyer("basic")),
  );
  if (!cancelled || !held || !replaced || !declined) throw new Error("four were made");
  const grown = before.active + 4;
  expect(await figures()).toEqual({ active: grown, subscriptions: grown, mrr: before.mrr + 4 * 49 });
  await admin.call(cancelUserSubscription, { body: { userId: await cancelled.id() } });
  expect((await hold(held)).status).toBe(200);
  expect((await replaced.buyQuoted("premium")).status).toBe(200);
  const left = before.active + 1;
  expect(await figures()).toEqual({ active: left, subscriptions: left, mrr: before.mrr + 49 });

  const daysWithEnds = async () => {
    const { periods } = await money({ by: "day" });
    return periods.filter(({ lostSubscriptions }) => lostSubscriptions > 0).map(({ start }) => start);
  };
  const endedOn = await daysWithEnds();
  await academy.advance("2d", admin);
  expect(await daysWithEnds()).toEqual(endedOn);

  await academy.nextChargesOf(declined, "decline");
  await academy.advance("28d1m", admin);
  expect(await figures()).toEqual(before);
});

test("the revenue is what the gateway holds, without declines and refunds, and who is refunded is lost [P34]", async () => {
  const { purchaseId } = await academy.purchase("basic");
  await academy.buyer("vip");
  const declined = await academy.visitor().signUp();
  await declined.buy("vip", { zip: "46282" });
  const { totalRevenue } = await stats();
  const before = await money({ by: "week" });
  expect(totalRevenue).toBe(await heldByGateway());
  expect((await refund(purchaseId)).status).toBe(200);
  expect((await stats()).totalRevenue).toBe(totalRevenue - 49);
  expect(await heldByGateway()).toBe(totalRevenue - 49);
  const after = await money({ by: "week" });
  expect([after.subscriptions, after.mrr]).toEqual([before.subscriptions - 1, before.mrr - 49]);
  expect(after.total.lostSubscriptions).toBe(before.total.lostSubscriptions + 1);
  expect(after.total.refunded).toBe(before.total.refunded + 49);
});

test("the counts beside the links of the administration are those that the role may see", async () => {
  const support = await inRole(academy, "support");
  const waiting = async (by = admin) => (await by.call(getWaiting)).body;
  const before = await waiting();
  const words = { name: "Ada", email: "ada@example.test", message: "Which lesson comes first?", elapsed: 60_000 };
  await academy.visitor().call(sendContactMessage, { body: words });
  const asked = await waiting(support);
  const unseen = { drafts: null, reviews: null, discrepancies: null };
  expect(asked).toEqual({ ...before, messages: (before.messages ?? 0) + 1, ...unseen });

  const [message] = (await support.call(listContacts, { query: { search: words.email } })).body;
  await support.call(markContact, { body: { contactId: message?.id ?? "", state: "open" } });
  expect(await waiting(support)).toEqual(asked);
  await support.call(markContact, { body: { contactId: message?.id ?? "", state: "answered" } });
  expect(await waiting()).toEqual(before);

  await draft(admin, "modules", "module-1", { title: "Before you begin" });
  expect((await waiting()).drafts).toBe((before.drafts ?? 0) + 1);
});

test("invalid date ranges are refused", async () => {
  for (const query of [
    { from: "2026-02-30" },
    { from: "yesterday" },
    { from: "2026-02-02", to: "2026-02-01" },
    { from: "1900-01-01" },
    { by: "year" },
  ] as Record<string, string>[]) {
    expect((await admin.call(getMoney, { query })).status, JSON.stringify(query)).toBe(400);
  }
  const answer = await admin.call(getFunnel, { query: { from: "2026-02-02", to: "2026-02-01" } });
  expect([answer.status, answer.body.errors]).toEqual([400, { from: ["After the last day"] }]);
});

test("learning shows per lesson who began, who finished and where students stop", async () => {
  const lessonOf = async (id: string) => {
    const { modules } = (await admin.call(getLearning)).body;
    return modules.flatMap(({ lessons }) => lessons).find(({ lessonId }) => lessonId === id);
  };
  const before = { first: await lessonOf("lesson-1-1"), second: await lessonOf("lesson-1-2") };
  const student = await academy.buyer("basic");
  const note = (lesson: string, body: object) =>
    student.send("PUT", `/api/user/progress/${lesson}`, JSON.stringify(body));
  expect((await note("lesson-1-1", { isCompleted: true })).status).toBe(200);
  expect((await note("lesson-1-2", { position: 3 })).status).toBe(200);
  const first = await lessonOf("lesson-1-1");
  const second = await lessonOf("lesson-1-2");
  expect([first?.started, first?.completed]).toEqual([
    (before.first?.started ?? 0) + 1,
    (before.first?.completed ?? 0) + 1,
  ]);
  expect(second?.stoppedHere).toBe((before.second?.stoppedHere ?? 0) + 1);
  expect(first?.stoppedHere).toBe(before.first?.stoppedHere);
  const { modules, students } = (await admin.call(getLearning)).body;
  expect(modules.map(({ moduleId }) => moduleId)).toEqual([1, 2, 3, 4, 5].map((number) => `module-${number}`));
  expect(students).toBeGreaterThan(1);
  expect(modules[3]?.lessons).toMatchObject([{ comingSoon: true, started: 0 }]);
});

// At any instant, these two zones have different days.
test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "reports and the audit log count the days of %s",
  async (timeZone) => {
    await changeSettings(admin, { timeZone });
    await publish(admin);
    const today = async () => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(await academy.now());
    const from = await today();
    const before = await money({ by: "day", from });
    await academy.purchase("premium");
    const after = await money({ by: "day", from });
    const audit = await admin.call(listAudit, { query: { from, action: "publish" } });
    const funnel = await admin.call(getFunnel, { query: { by: "day", from } });
    const exported = await (await exportList(admin, "money", { by: "day", from })).text();
    const to = await today();

    expect([after.from, after.to, funnel.body.to]).toEqual([from, to, to]);
    expect(after.total.charges).toBe(before.total.charges + 1);
    expect(audit.body.rows.length).toBeGreaterThan(0);
    expect(exported).toContain(`First day (${timeZone})`);
  },
);

test("above the limit the count of a job is shown, and the job counts anew", async () => {
  const read = async () => (await admin.call(getLearning)).body;
  const studentsBefore = (await read()).students;
  const crowd = async (from: number, to: number) =>
    void (await academy.pool.query(
      `with student as (
        insert into users (id, email, created_at, updated_at)
        select 'learner' || n, 'learner' || n || '@example.test', now(), now() from generate_series($1::int, $2::int) as n
        returning id
      )
      insert into course_progress (id, user_id, lesson_id, module_id, credit_since, created_at, updated_at)
      select student.id || lessons.id, student.id, lessons.id, module_id, now(), now(), now() from student, lessons`,
      [from, to],
    ));
  await crowd(1, 3400);
  await academy.advance("11m");
  const counted = await read();
  expect(counted.students).toBe(studentsBefore + 3400);
  await crowd(3401, 3410);
  expect(await read()).toEqual(counted);
  await academy.advance("11m");
  expect((await read()).students).toBe(studentsBefore + 3410);
});
