import { expect, test } from "vitest";
import { catalogue } from "#content/catalogue.ts";
import { plans } from "#content/plans.ts";
import { courseFiles } from "#content/resources.ts";
import type { Tier } from "#contract/tiers.ts";
import { computeAccess, hasOpened } from "#server/access/rules.ts";
import { after, DAY } from "#server/base/clock.ts";
import { type Course, inventHistory } from "./history.ts";
import { numbered } from "./write.ts";

const now = new Date("2026-11-22T11:31:07.250Z");
const planOf = (tier: Tier) => {
  const plan = plans.find((one) => one.tier === tier);
  if (!plan) throw new Error(`no plan of the tier ${tier}`);
  return { ...plan, price: plan.priceCents };
};
const course: Course = {
  plans: { basic: planOf("basic"), premium: planOf("premium"), vip: planOf("vip") },
  lessons: catalogue.flatMap(({ id, lessons }) =>
    lessons.filter(({ durationSeconds }) => durationSeconds > 0).map((lesson) => ({ ...lesson, moduleId: id })),
  ),
  resources: courseFiles.map(({ title, requiredTier }) => ({ id: title, requiredTier })),
};
const history = inventHistory(now, "one", course);

test("the same seed gives the same year, moved by the day of the start", () => {
  expect(inventHistory(now, "one", course)).toEqual(history);
  const later = inventHistory(after(now, 400 * DAY), "one", course);
  expect(later.users.map(({ firstName }) => firstName)).toEqual(history.users.map(({ firstName }) => firstName));
  expect(later.users.filter(({ id }) => history.users.some((user) => user.id === id))).toEqual([]);
});

test("it contains every event that an academy sees in a year", () => {
  const has = <Row>(rows: readonly Row[], is: (row: Row) => boolean) => expect(rows.some(is), is.toString()).toBe(true);
  expect(history.users.length).toBeGreaterThan(390);
  for (const accountStatus of ["active", "on_hold"]) has(history.users, (user) => user.accountStatus === accountStatus);
  for (const tier of ["basic", "premium", "vip"]) has(history.users, ({ purchasedTier }) => purchasedTier === tier);
  for (const state of ["new", "open", "answered"]) has(history.contacts, (contact) => contact.state === state);
  for (const kind of ["void", "refund"]) has(history.refunds, (refund) => refund.kind === kind);
  for (const status of ["completed", "declined", "refunded"]) has(history.purchases, (one) => one.status === status);
  for (const status of ["active", "declined", "on_hold", "cancelled"]) {
    has(history.subscriptions, (subscription) => subscription.status === status);
  }
  has(history.purchases, ({ credit }) => credit > 0);
  has(history.purchases, ({ discount, status }) => discount > 0 && status === "completed");
  const finished = history.progress.filter(
    ({ lessonId, isCompleted }) => lessonId === "lesson-3-3" && isCompleted,
  ).length;
  const begun = history.progress.filter(({ lessonId }) => lessonId === "lesson-1-1").length;
  expect(finished).toBeGreaterThan(0);
  expect(history.certificates).toHaveLength(12);
  expect(finished).toBeLessThan(begun / 2);
});

test.each(["one", "two", "three"])(
  "what the academy booked is what the gateway's ledger has, to the cent (%s)",
  (seed) => {
    const { attempts, refunds, ledger } = seed === "one" ? history : inventHistory(now, seed, course);
    const entries = new Map(ledger.map((entry) => [entry.refId, entry]));
    expect(entries.size).toBe(ledger.length);
    for (const { reference, amount, invoiceNumber, state, sentAt } of attempts) {
      const entry = entries.get(reference);
      expect(entry).toMatchObject({ amountCents: amount, invoiceNumber, at: sentAt.toISOString() });
      expect(entry?.result === "declined").toBe(state === "declined");
    }
    for (const { reference, amount, kind, attemptId } of refunds) {
      const charge = attempts.find(({ id }) => id === attemptId);
      expect(amount).toBe(charge?.amount);
      if (kind === "void") expect(entries.get(charge?.reference ?? "")?.result).toBe("voided");
      else expect(entries.get(reference)).toMatchObject({ amountCents: amount, refundOf: charge?.reference });
    }
    expect(ledger.length).toBe(attempts.length + refunds.filter(({ kind }) => kind === "refund").length);
    // Whatever an entry refers to stands before it.
    const indexes = new Map(ledger.map(({ refId }, index) => [refId, index]));
    for (const [index, { keptBy, refundOf }] of ledger.entries()) {
      const before = refundOf ?? keptBy;
      if (before !== undefined) expect(indexes.get(before)).toBeLessThan(index);
    }
  },
);

test("grants cover what is paid, and the users' rows show what the grants give", () => {
  const { attempts, purchases, grants, grantEnds, users } = history;
  const opened = new Set(grants.map(({ source, sourceId }) => `${source} ${sourceId}`));
  for (const { state, kind, id, purchaseId } of attempts) {
    if (state !== "approved") continue;
    expect(opened).toContain(kind === "initial" ? `purchase ${purchaseId}` : `renewal ${id}`);
  }
  const paid = new Set(attempts.filter(({ state }) => state === "approved").map(({ purchaseId }) => purchaseId));
  for (const { id, status } of purchases) expect(paid.has(id)).toBe(status !== "declined");
  for (const user of users) {
    const own = grants
      .filter(({ userId }) => userId === user.id)
      .map((grant) => ({ ...grant, endedAt: grantEnds.find(({ grantId }) => grantId === grant.id)?.endsAt ?? null }));
    expect([user.purchasedTier, user.hasPurchasedCourse]).toEqual([computeAccess(own, now).tier, hasOpened(own, now)]);
  }
});

test("every active subscription has a future charge date and a stored card", () => {
  const { subscriptions, ledger } = history;
  const living = subscriptions.filter(({ status }) => status === "active" || status === "declined");
  expect(living.length).toBeGreaterThan(50);
  for (const { nextChargeAt, firstCharge, isCardKept } of living) {
    expect(nextChargeAt?.getTime()).toBeGreaterThan(now.getTime() - 60_000);
    expect(isCardKept).toBe(true);
    const kept = ledger.find(({ refId }) => refId === firstCharge.reference);
    expect([kept?.keepsCard, kept?.forgotten]).toEqual([true, undefined]);
  }
});

test("the pages were opened on every day, and never less often than people came of it", () => {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  const opened = new Map(history.visits.map(({ day, step, visits }) => [`${day} ${step}`, visits]));
  expect(opened.size).toBe(history.visits.length);
  const days = history.visits.filter(({ step }) => step === "landing").map(({ day }) => day);
  expect(days).toHaveLength(366);
  for (const day of days) {
    const count = (step: string) => opened.get(`${day} ${step}`) ?? 0;
    const signUps = history.users.filter(({ createdAt }) => dayOf(createdAt) === day).length;
    const submitted = history.purchases.filter(({ createdAt }) => dayOf(createdAt) === day);
    const accounts = signUps + count("sign-in");
    expect(new Set(submitted.map(({ userId }) => userId)).size, day).toBeLessThanOrEqual(accounts);
    expect(accounts, day).toBeLessThanOrEqual(count("plan"));
    expect(count("plan"), day).toBeLessThan(count("landing"));
  }
});

test("no event is in the future, and no name occurs twice", () => {
  const happened: (Date | null)[] = [
    ...history.users.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
    ...history.identities.map(({ lastSignInAt }) => lastSignInAt),
    ...history.attempts.flatMap(({ sentAt, resolvedAt, checkedAt }) => [sentAt, resolvedAt, checkedAt]),
    ...history.refunds.flatMap(({ sentAt, resolvedAt, checkedAt }) => [sentAt, resolvedAt, checkedAt]),
    ...history.grants.map(({ createdAt }) => createdAt),
    ...history.grantEnds.map(({ endsAt }) => endsAt),
    ...history.emails.map(({ sentAt }) => sentAt),
    ...history.progress.map(({ updatedAt }) => updatedAt),
    ...history.downloads.map(({ downloadedAt }) => downloadedAt),
    ...history.contacts.map(({ createdAt }) => createdAt),
    ...history.replies.map(({ sentAt }) => sentAt),
    ...history.runs.map(({ finishedAt }) => finishedAt),
    ...history.audit.map(({ createdAt }) => createdAt),
  ];
  const earliest = after(now, -366 * DAY);
  expect(happened.filter((at) => at !== null && (at > now || at < earliest))).toEqual([]);
  expect(history.jobs.filter(({ runAt }) => runAt <= now)).toEqual([]);
  const names: Readonly<Record<string, readonly string[]>> = {
    addresses: history.users.map(({ email }) => email),
    jobs: history.jobs.map(({ name, key }) => `${name} ${key}`),
    submissions: history.attempts.map(({ idempotencyKey }) => idempotencyKey),
    emails: history.emails.map(({ id }) => id),
    grants: history.grants.map(({ source, sourceId }) => `${source} ${sourceId}`),
    lessons: history.progress.map(({ userId, lessonId }) => `${userId} ${lessonId}`),
  };
  for (const [kind, all] of Object.entries(names)) expect(new Set(all).size, kind).toBe(all.length);
});

test("the people are invented", () => {
  const allowed = /@(example\.(com|net|org)|academy\.test)$/;
  expect(history.users.filter(({ email }) => !allowed.test(email))).toEqual([]);
});

test("every row that names a transaction gets the gateway's id", () => {
  const numbers = new Map(
    history.ledger.map(({ refId }, at) => [refId, { transId: `${at}`, customerProfileId: "c", paymentProfileId: "p" }]),
  );
  const booked = numbered(history, numbers);
  const without = (rows: readonly { transactionId: string | null }[]) =>
    rows.filter((row) => row.transactionId === null);
  expect(without([...booked.attempts, ...booked.refunds])).toEqual([]);
  expect(without(booked.purchases.filter(({ status }) => status !== "declined"))).toEqual([]);
});
