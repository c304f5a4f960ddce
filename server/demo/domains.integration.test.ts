import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { expect, test as plainTest } from "vitest";
import { refundPurchase as refundCall } from "#contract/admin/purchases.ts";
import { acceptPayment, listUserPurchases, renewalConsent } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { grantEnds, grants } from "#server/access/tables.ts";
import { auditLog } from "#server/audit/tables.ts";
import { after, DAY } from "#server/base/clock.ts";
import { plans } from "#server/catalogue/tables.ts";
import { discountOf } from "#server/coupons/rules.ts";
import { coupons, couponUses } from "#server/coupons/tables.ts";
import { openDb } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { users } from "#server/identity/tables.ts";
import { jobs } from "#server/jobs/tables.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { paymentAttempts, paymentMethods } from "#server/payments/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { refunds } from "#server/refunds/tables.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import { confirmAddress } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { stopRenewals } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";
import { buyPlan } from "./buying.ts";
import { couponsOf, usesOf } from "./coupons.ts";
import { refundPurchase } from "./refunding.ts";
import { cancelSubscription, expireAccess, keepOpenForRenewal, noteUnpaid, renewSubscription } from "./renewing.ts";
import { SeededRandom } from "./seeded-random.ts";
import { Student } from "./student.ts";
import { numbered } from "./write.ts";

type Act = Tier | "coupon" | "bad card" | "pays" | "declines" | "cancels" | "expires" | "refund";

/** What students of the year do, by the day since the first purchase. */
const lives: Readonly<Record<string, readonly (readonly [day: number, act: Act])[]>> = {
  "renews, recovers and is declined again": [
    [0, "coupon"],
    [30, "pays"],
    [60, "declines"],
    [63, "pays"],
    [93, "declines"],
  ],
  "cancels while the account is on hold": [
    ...([
      [0, "basic"],
      [30, "declines"],
      [33, "declines"],
      [37, "declines"],
      [44, "declines"],
    ] as const),
    [60, "cancels"],
  ],
  "cancels, and the access expires": [
    [0, "basic"],
    [10.5, "cancels"],
    [30, "expires"],
  ],
  "is refunded": [
    [0, "basic"],
    [10.5, "refund"],
  ],
  "upgrades twice": [
    [0, "basic"],
    // Between the hours at which a day of the earlier plan ends, so that seconds decide nothing.
    [10.5, "premium"],
    [30, "vip"],
  ],
  "is declined, and buys with another card": [
    [0, "bad card"],
    [0, "premium"],
  ],
};
const days = [
  ...new Set(
    Object.values(lives)
      .flat()
      .map(([day]) => day),
  ),
].toSorted((one, other) => one - other);
const lastDay = days.at(-1) ?? 0;

const { academy, administrator } = await academyOfFile();
await leaveOnlyJobs(academy, "sweep-renewals");
await stopRenewals(academy);
const db = openDb(academy.pool as never);
const began = new Date(await academy.now());
const at = (day: number) => after(began, day * DAY);
const [coupon] = couponsOf(after(began, -10 * DAY), began);
if (!coupon) throw new Error("the year has no coupon");
await db.insert(coupons).values(coupon);
const onSale = new Map((await db.select().from(plans)).map((plan) => [plan.tier, plan]));
const people = new Map<string, Visitor>();
for (const life of Object.keys(lives)) {
  const student = await academy.visitor().signUp();
  await confirmAddress(academy, student);
  people.set(life, student);
}

let today = 0;
for (const day of days) {
  const acts = [...people].flatMap(([life, student]) =>
    (lives[life] ?? []).filter((one) => one[0] === day).map(([, act]) => ({ student, act })),
  );
  for (const { student, act } of acts) {
    if (act === "pays") await academy.nextChargesOf(student, "approve");
    if (act === "declines") await academy.nextChargesOf(student, "decline");
  }
  await academy.advance(`${(day - today) * 24}h`, administrator, ...people.values());
  today = day;
  for (const { student, act } of acts) await live(student, act);
  // Its emails are sent.
  await academy.advance("0s");
}

/** Through the academy itself, whose jobs charge renewals and note what has expired. */
async function live(student: Visitor, act: Act): Promise<void> {
  if (act === "cancels") await done(student.call(cancelOwnSubscription, { body: {} }));
  else if (act === "refund") {
    const [bought] = (await student.call(listUserPurchases)).body;
    await done(administrator.call(refundCall, { body: { purchaseId: bought?.id, reason: "asked for it" } }));
  } else if (act === "coupon" || act === "bad card" || onSale.has(act as Tier)) {
    const tier = tierOf(act);
    const card = act === "bad card" ? { zip: "46282" } : {};
    const payment = await student.quotedPaymentFor(tier, card, act === "coupon" ? coupon?.code : undefined);
    const consent = tier === "basic" && { renewalConsent: renewalConsent.version };
    const { status } = await student.call(acceptPayment, { body: { ...payment, ...consent } });
    expect(status).toBe(act === "bad card" ? 402 : 200);
  }
}

async function done(call: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await call;
  expect(status, JSON.stringify(body)).toBe(200);
}

function tierOf(act: Act): Tier {
  return act === "coupon" ? "basic" : act === "bad card" ? "premium" : (act as Tier);
}

/** The same life as the simulation of the year plays it. */
function simulate(life: string, email: string): Student {
  const student = new Student(
    { ...{ id: idFor(life), email, firstName: "Jo", lastName: "Vendor" }, phone: null, location: null, bio: null },
    began,
    new SeededRandom(life),
  );
  const card = { brand: "Visa", last4: "1111", expiry: "9999-12", zip: "90210" };
  for (const [day, act] of lives[life] ?? []) {
    const now = at(day);
    const subscription = student.subscriptions[0];
    if (act === "pays" || act === "declines") {
      if (!subscription) throw new Error("there is no subscription");
      if (subscription.dunningSince === null) keepOpenForRenewal(student, subscription);
      renewSubscription(student, subscription, now, { isDeclined: act === "declines" });
    } else if (act === "cancels" && subscription) cancelSubscription(student, subscription, now);
    else if (act === "expires" && subscription) expireAccess(student, subscription);
    else if (act === "refund") {
      const [bought] = student.purchases;
      if (bought) refundPurchase(student, bought, { actor: idFor("an administrator"), reason: "asked for it" }, now);
    } else {
      const plan = onSale.get(tierOf(act));
      if (!plan) throw new Error(`${act} is not on sale`);
      const discount =
        act === "coupon" ? { code: coupon?.code ?? "", cents: discountOf(coupon as never, plan.price) } : null;
      buyPlan(student, plan, card, now, { isDeclined: act === "bad card", coupon: discount });
    }
  }
  for (const subscription of student.subscriptions) noteUnpaid(subscription, at(lastDay));
  student.refreshAccess(at(lastDay));
  return student;
}

const accessJobs = ["access-changed", "remind-of-end"];

/** Tables whose rows belong to a user. */
const ofUser = {
  ...{ purchases, attempts: paymentAttempts, refunds, paymentMethods, subscriptions, couponUses, grants },
  emails: sentEmails,
};

async function rowsOfAcademy({ email }: Visitor): Promise<Record<string, readonly unknown[]>> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`there is no user ${email}`);
  const { id } = user;
  const rows: Record<string, readonly { id?: string }[]> = {};
  for (const [kind, table] of Object.entries(ofUser)) {
    rows[kind] = await db
      .select()
      .from(table as typeof purchases)
      .where(eq(table.userId, id));
  }
  const idsOf = (kind: string) => ["", ...(rows[kind] ?? []).map((row) => row.id ?? "")];
  return {
    ...rows,
    user: [user],
    grantEnds: await db
      .select()
      .from(grantEnds)
      .where(inArray(grantEnds.grantId, idsOf("grants"))),
    audit: await db
      .select()
      .from(auditLog)
      .where(inArray(auditLog.subject, idsOf("purchases"))),
    jobs: await db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.name, accessJobs), gt(jobs.runAt, at(lastDay)), eq(sql`data ->> 'userId'`, id))),
  };
}

function rowsOfYear(student: Student): Record<string, readonly unknown[]> {
  const numbers = student.ledger.map(({ refId, keepsCard }) => {
    const profile = keepsCard ? "123456789" : null;
    return [refId, { transId: "123456789", customerProfileId: profile, paymentProfileId: profile }] as const;
  });
  return {
    ...(student as never as Record<string, readonly unknown[]>),
    ...numbered(student, new Map(numbers)),
    user: [student.user],
    couponUses: usesOf(student.purchases),
    jobs: student.jobs.filter(({ runAt }) => runAt > at(lastDay)),
  };
}

/** Columns that differ: ids of a quote, times of the person, numbers in a row, and what triggers fill in. */
const ownColumns = new Set([
  "id",
  "quoteId",
  "addressHash",
  "begunAt",
  "isPaid",
  "checkedAt",
  "searchText",
  "receiptNumber",
  "emailVerified",
]);
const ofPerson = ["emailVerifiedAt", "firstName", "lastName", "updatedAt", "sessionsEndedAt", "role"];

/** Without ids, whose presence counts, and with days for instants. */
function comparable(value: unknown): unknown {
  if (value instanceof Date) return `day ${Math.round((value.getTime() - began.getTime()) / DAY)}`;
  if (typeof value === "string") {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return comparable(new Date(value));
    return /^(\d{9,}|[\w-]{20,}(:.*)?|renewal:.*|[\d.]{7,}|::1)$/.test(value) ? "an id" : value;
  }
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key]) => !ownColumns.has(key) && !ofPerson.includes(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, comparable(one)]).toSorted());
}

function sorted(rows: readonly unknown[]): unknown[] {
  const texts = rows.map((row) => JSON.stringify(comparable(row)));
  return texts.toSorted().map((text) => JSON.parse(text));
}

plainTest.for(Object.keys(lives))("the year has the rows that the academy writes of a student who %s", async (life) => {
  const person = people.get(life);
  if (!person) throw new Error("nobody lives it");
  const [academys, years] = [await rowsOfAcademy(person), rowsOfYear(simulate(life, person.email))];
  for (const [kind, rows] of Object.entries(academys)) {
    expect.soft(sorted(years[kind] ?? []), kind).toEqual(sorted(rows));
  }
});
