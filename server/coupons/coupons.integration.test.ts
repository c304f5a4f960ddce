import { expect } from "vitest";
import { changeCoupon, createCodes, endCoupon, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { getReceipt } from "#contract/purchases/receipts.ts";
import type { Tier } from "#contract/tiers.ts";
import { booksOf, chargedTo } from "#test/books.ts";
import { makeCoupon, newCoupon, signUpConfirmed } from "#test/coupons.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();

const coupon = (terms?: Parameters<typeof newCoupon>[2]) => newCoupon(academy, administrator, terms);

async function find(code: string) {
  const { rows } = (await administrator.call(listCoupons, { query: { limit: "200" } })).body;
  const found = rows.find((one) => one.code === code);
  if (!found) throw new Error(`${code} is not listed`);
  return found;
}

const quote = (student: Visitor, tier: Tier, code?: string) => student.call(createQuote, { body: { tier, code } });
const newStudent = () => signUpConfirmed(academy);

async function usesOf(code: string): Promise<{ uses: number; states: string[] }> {
  const { rows } = await academy.pool.query("select uses from coupons where code = $1", [code]);
  const { rows: states } = await academy.pool.query("select state from coupon_uses where coupon_code = $1", [code]);
  return { uses: rows[0].uses, states: states.map(({ state }) => state) };
}

test("on day 10 of Monthly, 15 % off Annual and the credit leave $304.79, and each is a line", async () => {
  const code = await coupon();
  const student = await newStudent();
  await student.buy("basic");
  await academy.advance("10d", student, administrator);
  const { body } = await quote(student, "premium", code.toLowerCase());
  expect(body).toMatchObject({
    totalCents: 30_479,
    coupon: code,
    renewal: null,
    lines: [
      { kind: "plan", cents: 39_700 },
      { kind: "discount", label: `Coupon ${code}`, cents: -5955 },
      { kind: "credit", label: "Your unused 20 of 30 days of Monthly Access (20/30 × $49.00)" },
    ],
  });
  const { body: paid } = await student.buyQuoted("premium", {}, code.toLowerCase());
  expect(await chargedTo(academy, student)).toEqual([49, body.total]);
  expect(await usesOf(code)).toEqual({ uses: 1, states: ["used"] });
  const receipt = (await student.call(getReceipt, { params: { id: paid.purchaseId } })).body;
  expect(receipt.lines).toEqual(body.lines);
  expect((await academy.mailTo(student, "Annual")).text).toContain(`Coupon ${code}`);
  expect(await student.purchase()).toMatchObject({ discount: "59.55", couponCode: code });
});

test("every kind of invalid code gets the same refusal and reserves nothing [P44]", async () => {
  const now = await academy.now();
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  const wrong = {
    unknown: "NOT-A-CODE",
    malformed: "%00",
    over: await coupon({ startsAt: at(-3), endsAt: at(-2) }),
    "to come": await coupon({ startsAt: at(2), endsAt: at(3) }),
    "for another plan": await coupon({ plans: ["vip"] }),
    "used up": await coupon({ maxUses: 1 }),
    ended: await coupon(),
  };
  const first = await newStudent();
  await first.buyQuoted("premium", {}, wrong["used up"]);
  await administrator.call(endCoupon, { params: { code: wrong.ended }, body: {} });
  const student = await newStudent();
  const sentences = new Set<string>();
  for (const [what, code] of Object.entries(wrong)) {
    const { status, body } = await quote(student, "premium", code);
    expect([status, body.code], what).toEqual([409, "coupon-refused"]);
    sentences.add(JSON.stringify([body.message, body.errors]));
  }
  await academy.advance("1h", student, first, administrator);
  const own = await quote(first, "premium", wrong["used up"]);
  const newcomers = await coupon({ firstPurchaseOnly: true });
  const late = await quote(first, "vip", newcomers);
  for (const { body } of [own, late]) sentences.add(JSON.stringify([body.message, body.errors]));
  expect([...sentences]).toHaveLength(1);
  const long = await quote(student, "premium", "X".repeat(10_000));
  expect(long).toMatchObject({ status: 400, body: { errors: { code: [expect.any(String)] } } });
  expect((await quote(student, "premium", "CODE\0")).status).toBe(400);
  expect((await quote(student, "premium", newcomers)).status).toBe(200);
  await academy.advance("1h", administrator);
});

test("ten wrong codes in an hour stop a person and an address; valid ones do not count [P44]", async () => {
  const code = await coupon();
  const [student, neighbour] = [await newStudent(), await newStudent()];
  for (let good = 0; good < 12; good++) expect((await quote(student, "premium", code)).status).toBe(200);
  const tries = await Promise.all(Array.from({ length: 14 }, (_, at) => quote(student, "premium", `WRONG-${at}`)));
  expect(tries.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(4);
  expect(await quote(student, "premium", code)).toMatchObject({ status: 429 });
  expect(await quote(neighbour, "premium", code)).toMatchObject({ status: 429 });
  // The plan without a code is sold all the same.
  expect((await quote(student, "premium")).status).toBe(200);
  await academy.advance("1h", student, administrator);
  expect((await quote(student, "premium", code)).status).toBe(200);
});

test("a declined card releases the use, and the student may reserve it again [P43]", async () => {
  const code = await coupon({ maxUses: 1 });
  const student = await newStudent();
  const quoted = await student.quotedPaymentFor("premium", { zip: "46282" }, code);
  expect((await student.call(acceptPayment, { body: quoted })).status).toBe(402);
  expect(await usesOf(code)).toEqual({ uses: 0, states: ["released"] });
  const again = { ...quoted, ...(await student.tokenizeCard()) };
  expect((await student.call(acceptPayment, { body: again })).status).toBe(200);
  expect(await usesOf(code)).toEqual({ uses: 1, states: ["used"] });
  expect(await chargedTo(academy, student)).toEqual([337.45]);
});

test("a payment of unknown outcome keeps the use reserved, and a charge that is found later uses it", async () => {
  const code = await coupon({ maxUses: 1 });
  const [student, other] = [await newStudent(), await newStudent()];
  const quoted = await student.quotedPaymentFor("premium", {}, code);
  const others = await other.quotedPaymentFor("premium", {}, code);
  await academy.tellReference("unavailable");
  await academy.nextChargesOf(student, "reset-after");
  expect((await student.call(acceptPayment, { body: quoted })).status).toBe(202);
  expect(await usesOf(code)).toEqual({ uses: 1, states: ["reserved"] });
  expect(await other.call(acceptPayment, { body: others })).toMatchObject({
    status: 409,
    body: { code: "quote-changed", total: 397, message: expect.stringContaining("can no longer use this coupon") },
  });
  await academy.tellReference("told");
  await academy.advance("16m", student, administrator);
  expect(await usesOf(code)).toEqual({ uses: 1, states: ["used"] });
  expect(await chargedTo(academy, student)).toEqual([337.45]);
  expect(await chargedTo(academy, other)).toEqual([]);
});

test("a payment that was never made releases the use", async () => {
  const code = await coupon({ maxUses: 1 });
  const student = await newStudent();
  await academy.nextChargesOf(student, "error-500");
  expect((await student.buyQuoted("premium", {}, code)).status).toBe(202);
  for (const later of ["20m", "20m", "1h"]) await academy.advance(later, student, administrator);
  expect(await usesOf(code)).toEqual({ uses: 0, states: ["released"] });
});

test("ending or changing a coupon changes a quote with it; its mere expiry does not", async () => {
  const now = await academy.now();
  const startsAt = new Date(now - 1000).toISOString();
  const soon = await coupon({ startsAt, endsAt: new Date(now + 5 * 60_000).toISOString() });
  const ended = await coupon();
  const changed = await coupon({ startsAt });
  const students = await Promise.all([soon, ended, changed].map(() => newStudent()));
  const quoted = await Promise.all(
    [soon, ended, changed].map((code, at) => students[at]?.quotedPaymentFor("premium", {}, code)),
  );
  await administrator.call(endCoupon, { params: { code: ended }, body: {} });
  const terms = { kind: "percent", value: 5, plans: ["premium"], startsAt, maxUses: null, firstPurchaseOnly: false };
  const endsAt = new Date(now + 86_400_000).toISOString();
  await administrator.call(changeCoupon, { params: { code: changed }, body: { ...terms, endsAt } });
  await academy.advance("6m");
  const answers = await Promise.all(students.map((one, at) => one.call(acceptPayment, { body: quoted[at] })));
  const gone = { status: 409, body: { code: "quote-changed" } };
  expect(answers).toMatchObject([{ status: 200 }, gone, gone]);
  expect(await usesOf(ended)).toEqual({ uses: 0, states: [] });
});

test("a refund leaves the coupon used, and administrators see uses, revenue and refunds", async () => {
  const code = await coupon();
  const student = await newStudent();
  const paid = await student.buyQuoted("premium", {}, code);
  await booksOf(administrator).refund(paid.body.purchaseId);
  expect(await usesOf(code)).toEqual({ uses: 1, states: ["used"] });
  const sums = { revenue: 337.45, refunded: 337.45, discounted: 59.55 };
  expect(await find(code)).toMatchObject({ used: 1, reserved: 0, ...sums, isKept: true });
  expect((await quote(student, "premium", code)).body.code).toBe("coupon-refused");
});

test("an administrator creates, changes, ends and resumes coupons; a used one keeps its terms", async () => {
  const code = await coupon();
  const { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly } = await find(code);
  const terms = { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly };
  const change = (body: object) => administrator.call(changeCoupon, { params: { code }, body: { ...terms, ...body } });
  const refusedAt = async (body: object, field: string) => {
    const errors = { [field]: [expect.any(String)] };
    expect(await change(body), JSON.stringify(body)).toMatchObject({ status: 400, body: { errors } });
  };
  await refusedAt({ endsAt: startsAt }, "endsAt");
  await refusedAt({ value: 91 }, "value");
  await refusedAt({ value: 10.5 }, "value");
  await refusedAt({ kind: "fixed", value: 0.001 }, "value");
  await refusedAt({ plans: [] }, "plans");
  await refusedAt({ maxUses: 0 }, "maxUses");
  await expect(makeCoupon(administrator, code, await academy.now())).rejects.toThrow("already exists");
  expect((await change({ value: 20 })).status).toBe(200);

  const student = await newStudent();
  await student.buyQuoted("premium", {}, code);
  await refusedAt({ value: 15 }, "value");
  await refusedAt({ value: 20, plans: ["vip"] }, "plans");
  await refusedAt({ value: 20, firstPurchaseOnly: true }, "firstPurchaseOnly");
  expect((await change({ value: 20, maxUses: 1 })).status).toBe(200);
  expect((await find(code)).state).toBe("used-up");
  const list = async (limit: string) => (await administrator.call(listCoupons, { query: { limit } })).body;
  const states = (await list("200")).rows.map(({ state }) => state);
  expect((await list("1")).sums.running).toBe(states.filter((state) => state === "running").length);
  expect((await administrator.call(endCoupon, { params: { code }, body: {} })).status).toBe(200);
  expect((await administrator.call(endCoupon, { params: { code }, body: {} })).status).toBe(409);
  const isOpen = (await list("200")).rows.map(({ state }) => state !== "over" && state !== "ended");
  expect(isOpen).toContain(false);
  expect(isOpen).toEqual(isOpen.toSorted((one, other) => Number(other) - Number(one)));
  expect((await administrator.call(resumeCoupon, { params: { code }, body: {} })).status).toBe(200);
  const log = "select action from audit_log where subject = $1 order by created_at";
  expect((await academy.pool.query(log, [code])).rows.map(({ action }) => action)).toEqual([
    ...["create coupon", "change coupon", "change coupon", "end coupon", "resume coupon"],
  ]);
});

test("who changes an older version of a coupon does nothing to the newer one", async () => {
  const code = await coupon();
  const older = await find(code);
  const { kind, value, plans, startsAt, endsAt, firstPurchaseOnly } = older;
  const terms = { kind, value, plans, startsAt, endsAt, firstPurchaseOnly };
  const change = (maxUses: number, version: string) =>
    administrator.call(changeCoupon, { params: { code }, query: { version }, body: { ...terms, maxUses } });
  expect((await change(5, older.version)).status).toBe(200);
  const conflict = { code: "conflict", message: expect.stringContaining("Someone changed") };
  expect(await change(7, older.version)).toMatchObject({ status: 409, body: conflict });
  const newer = await find(code);
  expect(newer.maxUses).toBe(5);
  // A use is no change of its terms.
  const student = await newStudent();
  await student.buyQuoted("premium", {}, code);
  const both = await Promise.all([7, 8].map((maxUses) => change(maxUses, newer.version)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("no charge exceeds the list price, and the books contain every discount", async () => {
  const { rows } = await academy.pool.query(`
    select count(*)::int as wrong from purchases p join plans on plans.id = p.plan_id
    where p.amount + p.discount + p.credit <> plans.price or p.amount > plans.price`);
  expect(rows[0].wrong).toBe(0);
  const { rows: counted } = await academy.pool.query(`
    select code from coupons where uses <> (
      select count(*) from coupon_uses where coupon_code = code and state in ('reserved', 'used'))`);
  expect(counted).toEqual([]);
});

test("the owners are mailed once about a coupon of more than half a price", async () => {
  await coupon({ kind: "percent", value: 50 });
  await coupon({ kind: "fixed", value: 24.5, plans: ["basic"] });
  const large = [
    `Coupon ${await coupon({ kind: "percent", value: 51 })} takes 51% off`,
    `Coupon ${await coupon({ kind: "fixed", value: 24.51, plans: ["basic", "vip"] })} takes $24.51 off`,
  ];
  for (const subject of large) await academy.mailTo({ email: "admin@academy.test" }, subject);
  const subjects = (await academy.mails("admin@academy.test")).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /^Coupon /.test(subject)).toSorted()).toEqual(large.toSorted());
});

test("fifty single-use codes are made once, however often they are asked for, and each works once [P49]", async () => {
  const now = await academy.now();
  const terms = { kind: "percent", value: 15, plans: ["basic"], firstPurchaseOnly: false };
  const dates = { startsAt: new Date(now).toISOString(), endsAt: new Date(now + 86_400_000).toISOString() };
  const body = { ...terms, ...dates, prefix: "fair-", count: 50 };
  const ask = (more: object = {}) =>
    administrator.call(createCodes, { params: { id: "batch-of-a-test" }, body: { ...body, ...more } });
  expect((await ask({ count: 51 })).status).toBe(400);
  for (const prefix of ["thirteen-char", "-sum"]) expect((await ask({ prefix })).status).toBe(400);
  const [first, second] = await Promise.all([ask(), ask()]);
  const { codes } = first.body;
  expect(new Set(codes).size).toBe(50);
  expect(codes.every((code) => /^FAIR-[A-Z0-9]{10}$/.test(code))).toBe(true);
  expect([second.body.codes, (await ask()).body.codes]).toEqual([codes, codes]);
  for (const other of [{ count: 3 }, { value: 20 }, { prefix: "rare-" }]) expect((await ask(other)).status).toBe(409);
  const counted = await academy.pool.query("select count(*)::int from coupons where code like 'FAIR-%'");
  expect(counted.rows).toEqual([{ count: 50 }]);
  const code = codes[0] ?? "";
  const [one, other] = [await newStudent(), await newStudent()];
  await one.buyQuoted("basic", {}, code);
  expect(await find(code)).toMatchObject({ state: "used-up", used: 1, maxUses: 1 });
  expect((await quote(other, "basic", code)).body.code).toBe("coupon-refused");
  expect((await quote(other, "basic", codes[1])).body).toMatchObject({ totalCents: 4165 });
});
