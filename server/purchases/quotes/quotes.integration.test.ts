import { expect } from "vitest";
import { reactivateAccount, updateUserTier } from "#contract/admin/users.ts";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import type { Tier } from "#contract/tiers.ts";
import { booksOf, chargedTo } from "#test/books.ts";
import { confirmAddress } from "#test/coaching.ts";
import { changeSettings, draft, publish, published } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();
const { refund, hold } = booksOf(administrator);
test.afterEach(() => leaveBehind(academy));

const planIds = { basic: "basic_monthly", premium: "premium_annual", vip: "vip_lifetime" };

const quote = (student: Visitor, tier: Tier) => student.call(createQuote, { body: { tier, priceId: planIds[tier] } });

test("a student on day 10 of Monthly is shown the credit line by line, and is charged just that", async () => {
  const { student } = await academy.purchase("basic");
  await academy.advance("10d", student);
  const { status, body } = await quote(student, "premium");
  expect(status).toBe(200);
  expect(body).toMatchObject({ tier: "premium", planName: "Annual Access", replaces: ["Monthly Access"] });
  expect(body).toMatchObject({ totalCents: 36_434, refundDays: null });
  expect(body.lines).toEqual([
    { kind: "plan", label: "Annual Access", cents: 39_700 },
    { kind: "credit", label: "Your unused 20 of 30 days of Monthly Access (20/30 × $49.00)", cents: -3266 },
  ]);
  expect(await student.buyQuoted("premium")).toMatchObject({ status: 200 });
  expect(await chargedTo(academy, student)).toEqual([49, body.total]);
  expect(await student.access()).toMatchObject({ tier: "premium", source: "purchase" });
  expect(await student.subscription()).toBeNull();
  const { rows } = await academy.pool.query(
    `select g.source, e.replaced_by is not null as replaced from grants g left join grant_ends e on e.grant_id = g.id
     where g.user_id = (select id from users where email = $1) order by g.created_at`,
    [student.email],
  );
  expect(rows).toEqual([
    { source: "purchase", replaced: true },
    { source: "purchase", replaced: false },
  ]);
});

test("the list price, another amount, and somebody else's quote are refused with the total, and nothing is charged [P01 P41]", async () => {
  const { student } = await academy.purchase("basic");
  const { body: own } = await quote(student, "premium");
  const other = await academy.visitor().signUp();
  const { body: foreign } = await quote(other, "premium");
  const payment = await student.paymentFor("premium");
  const refused = async (change: object) => student.call(acceptPayment, { body: { ...payment, ...change } });
  const total = own.total;
  const mismatch = { status: 409, body: { code: "amount-mismatch", total } };
  expect(await refused({})).toMatchObject(mismatch);
  expect(await refused({ quoteId: own.quoteId })).toMatchObject(mismatch);
  expect(await refused({ quoteId: own.quoteId, amount: 1 })).toMatchObject({ body: { code: "amount-mismatch" } });
  expect(await refused({ quoteId: foreign.quoteId, amount: foreign.total })).toMatchObject({
    status: 409,
    body: { code: "quote-expired", total },
  });
  const { body: lifetime } = await quote(student, "vip");
  expect(await refused({ quoteId: lifetime.quoteId, amount: lifetime.total })).toMatchObject({
    status: 409,
    body: { code: "plan-mismatch" },
  });
  for (const quoteId of ["none", "x".repeat(10_000), "%00", "\0", "", 7, null]) {
    const { status, body } = await refused({ quoteId, amount: own.total });
    expect([400, 409], String(quoteId)).toContain(status);
    expect(body.message, String(quoteId)).toMatch(/\w/);
  }
  expect(await chargedTo(academy, student)).toEqual([49]);
  // A client without quotes pays the listed amount.
  expect((await refused({ amount: total })).status).toBe(200);
});

test("a total changes once in 24 hours, and one that ran out is paid while it is the same [P41]", async () => {
  const { student } = await academy.purchase("basic");
  const { body: shown } = await quote(student, "vip");
  await academy.advance("23h", student);
  expect((await quote(student, "vip")).body).toMatchObject({ total: shown.total, expiresAt: shown.expiresAt });
  await academy.advance("1h", student);
  const payment = { ...(await student.paymentFor("vip")), amount: shown.total, quoteId: shown.quoteId };
  const message = "Your total was updated to $1,449.64. You haven't been charged. Please check it and pay again.";
  expect(shown.total).toBe(1448);
  expect(await student.call(acceptPayment, { body: payment })).toMatchObject({
    status: 409,
    body: { code: "quote-expired", total: 1449.64, message },
  });
  expect(await chargedTo(academy, student)).toEqual([49]);

  const newcomer = await academy.visitor().signUp();
  const quoted = await newcomer.quotedPaymentFor("premium");
  await academy.advance("25h", newcomer);
  const late = { ...quoted, ...(await newcomer.tokenizeCard()) };
  expect(await newcomer.call(acceptPayment, { body: late })).toMatchObject({ status: 200 });
  expect(await chargedTo(academy, newcomer)).toEqual([397]);
});

test("a renewal, a refund and a hold since the quote change it [P41]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await academy.advance("29d23h55m", student);
  const before = await student.quotedPaymentFor("premium");
  await academy.advance("6m");
  expect((await student.call(acceptPayment, { body: before })).body.code).toBe("quote-changed");

  await academy.advance("1d", student, administrator);
  const quoted = await student.quotedPaymentFor("premium");
  expect((await refund(purchaseId, { amount: 5 })).status).toBe(200);
  expect((await student.call(acceptPayment, { body: quoted })).body.code).toBe("quote-changed");

  const next = await student.quotedPaymentFor("premium");
  expect((await hold(student)).status).toBe(200);
  expect((await student.call(acceptPayment, { body: next })).body.code).toBe("quote-changed");
  expect(await quote(student, "premium")).toMatchObject({ status: 403, body: { code: "account-blocked" } });
  await administrator.call(reactivateAccount, { body: { userId: await student.id() } });
  expect((await student.call(acceptPayment, { body: next })).status).toBe(200);
});

test("a declined card leaves the quote, and a charge that is found later keeps it", async () => {
  const { student } = await academy.purchase("basic");
  const quoted = await student.quotedPaymentFor("premium");
  const declined = { ...quoted, ...(await student.tokenizeCard({ zip: "46282" })) };
  expect((await student.call(acceptPayment, { body: declined })).status).toBe(402);
  await academy.tellReference("unavailable");
  await academy.nextChargesOf(student, "reset-after");
  const unknown = { ...quoted, ...(await student.tokenizeCard()) };
  const answer = await student.call(acceptPayment, { body: unknown });
  expect(answer.status).toBe(202);
  expect(await quote(student, "vip")).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  await academy.tellReference("told");
  await academy.advance("16m", student);
  const upgrade = await student.purchase();
  expect(upgrade).toMatchObject({ tier: "premium", status: "completed", amount: quoted.amount.toFixed(2) });
  expect(await chargedTo(academy, student)).toEqual([49, quoted.amount]);
  const { rows } = await academy.pool.query("select credit::text, credit_from from purchases where id = $1", [
    upgrade?.id,
  ]);
  expect(Number(rows[0].credit)).toBeCloseTo(397 - quoted.amount, 5);
  expect(rows[0].credit_from).toHaveLength(1);
});

test("the same tier, a lower tier, another plan's id and a visitor get no total", async () => {
  const { student } = await academy.purchase("vip");
  for (const tier of ["basic", "premium", "vip"] as const) {
    expect(await quote(student, tier)).toMatchObject({ status: 409, body: { code: "already-owned" } });
  }
  const wrong = await student.call(createQuote, { body: { tier: "vip", priceId: "basic_monthly" } });
  expect(wrong).toMatchObject({ status: 409, body: { code: "plan-mismatch" } });
  expect((await quote(academy.visitor(), "vip")).status).toBe(401);
  const { body } = await quote(await academy.visitor().signUp(), "basic");
  expect(body).toMatchObject({ total: 49, lines: [{ cents: 4900 }], replaces: [], refundDays: 7 });
});

/** An administrator gives Annual until this day. */
async function give(student: Visitor, endsAt: string | null): Promise<void> {
  await administrator.signInAgain();
  const body = { userId: await student.id(), newTier: "premium", endsAt, reason: "won the raffle" };
  expect((await administrator.call(updateUserTier, { body })).status).toBe(200);
}

test("a student with Annual for ever is not sold another year", async ({ student }) => {
  await give(student, null);
  const owned = { status: 409, body: { code: "already-owned" } };
  expect(await quote(student, "premium")).toMatchObject(owned);
  expect(await student.buy("premium")).toMatchObject(owned);
  expect(await chargedTo(academy, student)).toEqual([]);
});

test("a total from before a purchase of the same plan, as in another tab, pays for no second year", async () => {
  const student = await academy.visitor().signUp();
  const [first, second] = [await student.quotedPaymentFor("premium"), await student.quotedPaymentFor("premium")];
  expect(await student.call(acceptPayment, { body: first })).toMatchObject({ status: 200 });
  await academy.advance("5m", student);
  const again = await student.call(acceptPayment, { body: second });
  expect(again).toMatchObject({ status: 409, body: { code: "quote-changed" } });
  // A quote that ran out is not renewed either.
  await academy.advance("1d", student);
  expect(await student.call(acceptPayment, { body: second })).toMatchObject({ body: { code: "quote-changed" } });
  expect(await chargedTo(academy, student)).toEqual([397]);
  // Who is shown another year may buy it.
  expect((await student.buyQuoted("premium")).status).toBe(200);
  expect(await chargedTo(academy, student)).toEqual([397, 397]);
});

test("a total from before an administrator gave the same plan pays for no second year", async ({ student }) => {
  const payment = await student.quotedPaymentFor("premium");
  await academy.advance("5m", student);
  await give(student, new Date((await academy.now()) + 30 * 86_400_000).toISOString());
  const gone = { status: 409, body: { code: "quote-changed" } };
  expect(await student.call(acceptPayment, { body: payment })).toMatchObject(gone);
  await academy.advance("1d", student);
  expect(await student.call(acceptPayment, { body: payment })).toMatchObject(gone);
  expect(await chargedTo(academy, student)).toEqual([]);
  expect((await student.buyQuoted("premium")).status).toBe(200);
});

test("a price or an offer published after the total refuses it as what it is, and charges nothing", async () => {
  const student = await academy.visitor().signUp();
  const payment = await student.quotedPaymentFor("vip");
  await administrator.signInAgain();
  const plan = await published(administrator, "plans", "vip_lifetime");
  const sell = async (changed: { price?: number; coaching?: CoachingPromise; refundDays?: number }) => {
    const { refundDays = 7, ...ofPlan } = changed;
    await draft(administrator, "plans", "vip_lifetime", { ...plan, ...ofPlan });
    await changeSettings(administrator, { refundDays });
    await publish(administrator);
  };
  for (const [changed, message] of [
    [{ price: 1600 }, /^The price of Lifetime Access has changed/],
    [{ coaching: { sessions: 1, everyDays: 365, minutes: 10 } }, /^The offer for Lifetime Access has changed/],
    [{ refundDays: 3 }, /^The offer for Lifetime Access has changed/],
  ] as const) {
    await sell(changed);
    const { status, body } = await student.call(acceptPayment, { body: payment });
    expect([status, body.code]).toEqual([409, "quote-changed"]);
    expect(body.message).toMatch(message);
  }
  expect(await chargedTo(academy, student)).toEqual([]);
  await sell({});
  expect((await student.call(acceptPayment, { body: payment })).status).toBe(200);
});

test("an upgrade of the first purchase is refundable until that purchase's period ends, and no later one is", async () => {
  const student = await academy.visitor().signUp();
  expect((await quote(student, "vip")).body).toMatchObject({ refundDays: 7, isRefundCertain: false });
  await confirmAddress(academy, student);
  const { body: first } = await quote(student, "vip");
  expect(first).toMatchObject({ refundDays: 7, refundableUntil: null, isRefundCertain: true });
  const end = (await academy.now()) + 7 * 86_400_000;
  expect((await student.buyQuoted("basic")).status).toBe(200);
  await academy.advance("3d", student);
  const { body: upgrade } = await quote(student, "premium");
  expect(upgrade.refundDays).toBeNull();
  expect(Math.abs(Date.parse(upgrade.refundableUntil ?? "") - end)).toBeLessThan(60_000);
  expect((await student.buyQuoted("premium")).status).toBe(200);
  expect((await academy.mailTo(student, "Annual Access is ready")).text).toContain("including your earlier payment");
  expect((await quote(student, "vip")).body.refundableUntil).toBe(upgrade.refundableUntil);
  await academy.advance("5d", student);
  expect((await quote(student, "vip")).body.refundableUntil).toBeNull();
});

test("asking again returns the same quote until it is paid, and a student has at most twenty", async ({ student }) => {
  const { body: first } = await quote(student, "premium");
  expect((await quote(student, "premium")).body).toEqual(first);
  await academy.pool.query(
    `insert into quotes (id, user_id, plan_id, basis, total, expires_at, created_at)
     select 'copy' || n, user_id, plan_id, basis, total, expires_at, created_at + n * interval '1 second'
     from quotes cross join generate_series(1, 25) as n where id = $1`,
    [first.quoteId],
  );
  const body = await student.quotedPaymentFor("vip");
  const { rows } = await academy.pool.query(
    "select id from quotes where user_id = (select user_id from quotes where id = $1)",
    [body.quoteId],
  );
  expect(rows).toHaveLength(20);
  expect(rows).not.toContainEqual({ id: first.quoteId });
  const { purchaseId } = (await student.call(acceptPayment, { body })).body;
  await administrator.signInAgain();
  expect((await refund(purchaseId)).status).toBe(200);
  // The basis is as before the purchase again.
  expect((await quote(student, "vip")).body.quoteId).not.toBe(body.quoteId);
});

test("a total asked for again after another plan was bought and refunded is paid", async ({ student }) => {
  await quote(student, "basic");
  const bought = await student.buy("vip");
  expect((await refund(bought.body.purchaseId)).status).toBe(200);
  const paid = await student.buyQuoted("basic");
  expect(paid).toMatchObject({ status: 200, body: { tier: "basic" } });
});

test("a quote in the form of another release is refused, and the next one is paid", async ({ student }) => {
  for (const change of [{ version: 0 }, { listCents: "149700" }, { taxCents: 0 }]) {
    const body = await student.quotedPaymentFor("vip");
    const form = "update quotes set basis = (basis::jsonb || $2::jsonb)::json where id = $1";
    await academy.pool.query(form, [body.quoteId, JSON.stringify(change)]);
    const message = "Your total has expired. You haven't been charged. Please check it and pay again.";
    expect(await student.call(acceptPayment, { body })).toMatchObject({
      status: 409,
      body: { code: "quote-expired", total: 1497, message },
    });
  }
  expect((await student.buyQuoted("vip")).status).toBe(200);
  expect(await chargedTo(academy, student)).toEqual([1497]);
});
