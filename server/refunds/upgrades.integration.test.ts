import { expect } from "vitest";
import { recordDispute } from "#contract/admin/purchases.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { resumeOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { booksOf } from "#test/books.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveBehind, stopRenewals } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();
const { compare, open, repair, detailOf, preview, refund } = booksOf(administrator);

test.afterEach(() => leaveBehind(academy));

const day = 86_400_000;

async function buy(student: Visitor, tier: Tier): Promise<{ purchaseId: string; amount: number }> {
  const body = await student.quotedPaymentFor(tier);
  const bought = await student.call(acceptPayment, { body });
  expect(bought.status).toBe(200);
  return { purchaseId: bought.body.purchaseId, amount: body.amount };
}

/** Buys Monthly, and the upgrade after `used`. */
async function upgraded(used: string, to: Tier = "premium") {
  const student = await academy.visitor().signUp();
  const monthly = await buy(student, "basic");
  await pass(used, student);
  return { student, monthly, upgrade: await buy(student, to) };
}

const pass = (duration: string, ...students: Visitor[]) => academy.advance(duration, administrator, ...students);

async function daysLeft(student: Visitor): Promise<number> {
  return (Date.parse((await student.access()).until ?? "") - (await academy.now())) / day;
}

const renewedOnce = [{ state: "approved" }, { state: "approved" }];

const dispute = (purchaseId: string) =>
  administrator.call(recordDispute, { body: { purchaseId, reason: "the bank wrote" } });

test("an upgrade that is refunded later returns what it charged, and the replaced days begin again", async () => {
  const { student, monthly, upgrade } = await upgraded("10d");
  await pass("30d", student);
  const credit = (397 - upgrade.amount).toFixed(2);
  expect((await detailOf(upgrade.purchaseId)).purchase).toMatchObject({ creditAmount: credit });
  const list = await (await exportList(administrator, "purchases")).text();
  const [head = [], ...rows] = list.split("\r\n").map((row) => row.split(","));
  const exported = rows.find(([id]) => id === upgrade.purchaseId);
  expect(exported?.[head.indexOf("Credit (USD)")]).toBe(credit);
  expect(await preview(upgrade.purchaseId)).toMatchObject({
    refundable: upgrade.amount.toFixed(2),
    withinPolicy: false,
    endsAccess: true,
    goesBackToo: [],
    givesBack: [{ planName: "Monthly Access", days: 20 }],
    accessAfter: { tier: "basic" },
  });
  expect((await refund(upgrade.purchaseId)).body).toMatchObject({
    state: "returned",
    amount: upgrade.amount.toFixed(2),
  });
  expect(await student.access()).toMatchObject({ tier: "basic", source: "credit-returned" });
  expect(await daysLeft(student)).toBeCloseTo(20, 1);
  expect((await detailOf(monthly.purchaseId)).purchase).toMatchObject({
    status: "completed",
    subscriptionStatus: "cancelled",
    refundedAmount: "0.00",
  });
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
  // Days that were given back have the same value as before, once.
  const { body } = await student.call(createQuote, { body: { tier: "premium", priceId: "premium_annual" } });
  expect(body.total).toBeCloseTo(upgrade.amount, 0);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  await pass("20d", student);
  await academy.advance("1h");
  expect((await detailOf(monthly.purchaseId)).attempts).toMatchObject(renewedOnce);
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("an upgrade within seven days of the first purchase belongs to it: all $401.90 go back", async () => {
  const { student, monthly, upgrade } = await upgraded("3d");
  expect([352.9, 352.91]).toContain(upgrade.amount);
  await pass("3d", student);
  expect(await preview(upgrade.purchaseId)).toMatchObject({
    withinPolicy: true,
    goesBackToo: [{ planName: "Monthly Access", amount: "49.00" }],
    givesBack: [],
    accessAfter: { tier: null },
  });
  const all = (upgrade.amount + 49).toFixed(2);
  expect((await refund(upgrade.purchaseId)).body).toMatchObject({ state: "returned", amount: all });
  expect(await student.access()).toMatchObject({ hasAccess: false, tier: null });
  for (const { purchaseId } of [monthly, upgrade]) {
    expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "refunded" });
  }
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("where the window is longer than a month, both payments of the first purchase go back with its upgrade", async () => {
  const student = await academy.visitor().signUp();
  const monthly = await buy(student, "basic");
  // As an owner may set it.
  await academy.pool.query("update purchases set refund_days = 60 where id = $1", [monthly.purchaseId]);
  await pass("31d", student);
  const upgrade = await buy(student, "premium");
  await pass("2d", student);
  const payment = { planName: "Monthly Access", amount: "49.00" };
  expect(await preview(upgrade.purchaseId)).toMatchObject({ withinPolicy: true, goesBackToo: [payment, payment] });
  const all = (upgrade.amount + 2 * 49).toFixed(2);
  expect((await refund(upgrade.purchaseId)).body).toMatchObject({ state: "returned", amount: all });
  expect(await student.access()).toMatchObject({ hasAccess: false, tier: null });
  expect((await detailOf(monthly.purchaseId)).purchase).toMatchObject({ status: "refunded", refundedAmount: "98.00" });
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("where the refund of the first payment fails at the gateway and the payment is kept, its days come back", async () => {
  const { student, monthly, upgrade } = await upgraded("3d");
  await pass("1d", student);
  expect((await refund(upgrade.purchaseId)).status).toBe(200);
  expect(await student.access()).toMatchObject({ tier: null });
  const [charged] = await academy.chargesOf(monthly.purchaseId);
  const returned = (await academy.ledger()).find(
    ({ refTransId, type }) => refTransId === charged?.transId && type === "refundTransaction",
  );
  await academy.stage(returned?.transId ?? "", "settlementError");
  const [found] = await compare(monthly.purchaseId);
  expect(found).toMatchObject({ kind: "refund-failed", expected: "49.00" });
  expect((await repair(found?.id, "take-back")).status).toBe(200);
  expect(await student.access()).toMatchObject({ tier: "basic", source: "credit-returned" });
  expect(await daysLeft(student)).toBeCloseTo(27, 1);
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("where the first payment does not go back with the upgrade, its days do, and it can be refunded by itself", async () => {
  const { student, monthly, upgrade } = await upgraded("3d");
  await pass("1d", student);
  await academy.nextChargesOf(student, "approve", "decline");
  const answer = await refund(upgrade.purchaseId);
  expect(answer.body).toMatchObject({ state: "returned", amount: upgrade.amount.toFixed(2) });
  expect(answer.body.message).toContain("$49.00 of Monthly Access wasn’t refunded");
  expect(await student.access()).toMatchObject({ tier: "basic" });
  expect(await daysLeft(student)).toBeCloseTo(27, 1);
  expect((await refund(monthly.purchaseId)).body).toMatchObject({ amount: "49.00" });
  expect(await student.access()).toMatchObject({ tier: null });
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("what was credited does not go back beside the upgrade, the used part may [P42]", async () => {
  const { student, monthly, upgrade } = await upgraded("15d");
  await pass("1d", student);
  const { credited, refundable } = await preview(monthly.purchaseId);
  expect(Number(credited)).toBeCloseTo(24.5, 1);
  expect(Number(credited) + Number(refundable)).toBeCloseTo(49, 5);
  expect(await refund(monthly.purchaseId, { amount: 49 })).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await refund(monthly.purchaseId, { amount: 20 })).status).toBe(200);
  expect((await detailOf(monthly.purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "20.00" });
  expect(await compare(monthly.purchaseId, upgrade.purchaseId)).toEqual([]);
});

test("a dispute about a payment that was credited is for a person: let it stand, or end the upgrade [P42]", async () => {
  const actions = ["let-stand", "end-upgrade"] as const;
  const bought = await Promise.all(actions.map(() => academy.purchase("basic")));
  const students = bought.map(({ student }) => student);
  await pass("10d", ...students);
  const upgrades = await Promise.all(students.map((student) => buy(student, "premium")));
  await pass("2d", ...students);
  for (const [at, action] of actions.entries()) {
    const student = students[at] as Visitor;
    const [monthly, upgrade] = [bought[at]?.purchaseId ?? "", upgrades[at]?.purchaseId ?? ""];
    expect((await dispute(monthly)).status).toBe(200);
    expect(await student.access()).toMatchObject({ tier: "premium" });
    const [found] = await open(upgrade);
    expect(found).toMatchObject({ kind: "credit-unfounded", found: "0.00" });
    expect((await repair(found?.id, action)).status).toBe(200);
    const isStanding = action === "let-stand";
    expect(await student.access()).toMatchObject({ tier: isStanding ? "premium" : null });
    expect((await detailOf(upgrade)).purchase.status).toBe(isStanding ? "completed" : "refunded");
    expect(await compare(monthly, upgrade)).toEqual([]);
    // The nightly comparison finds what nobody recorded.
    await academy.pool.query("delete from discrepancies where purchase_id = $1", [upgrade]);
    const foundAgain = isStanding ? [{ kind: "credit-unfounded", found: "0.00" }] : [];
    expect(await compare(monthly, upgrade)).toMatchObject(foundAgain);
  }
});

test("an upgrade whose refund got no answer stays for a person until it is known whether it was paid back [P42]", async () => {
  const { student, monthly, upgrade } = await upgraded("10d");
  await pass("2d", student);
  expect((await dispute(monthly.purchaseId)).status).toBe(200);
  const [found] = await compare(upgrade.purchaseId);
  await academy.nextChargesOf(student, "error-500");
  expect(await repair(found?.id, "end-upgrade")).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining("stays open") },
  });
  await pass("1h", student);
  await pass("1h", student);
  expect((await detailOf(upgrade.purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "0.00" });
  expect(await compare(upgrade.purchaseId)).toMatchObject([{ kind: "credit-unfounded" }]);
  expect((await repair(found?.id, "end-upgrade")).status).toBe(200);
  expect((await detailOf(upgrade.purchaseId)).purchase).toMatchObject({ status: "refunded" });
  expect(await compare(upgrade.purchaseId)).toEqual([]);
  const lines = "select 1 from audit_log where subject = $1";
  expect((await academy.pool.query(lines, [found?.id])).rowCount).toBe(2);
});

test("of a chain, the refund of the last upgrade brings back the one before", async () => {
  const { student, upgrade } = await upgraded("10d");
  await pass("100d", student);
  const lifetime = await buy(student, "vip");
  // The whole value of the upgrade is credited, not its last charge.
  expect(lifetime.amount).toBe(1208.77);
  await pass("5d", student);
  expect((await refund(lifetime.purchaseId)).body).toMatchObject({ amount: lifetime.amount.toFixed(2) });
  expect(await student.access()).toMatchObject({ tier: "premium", source: "credit-returned" });
  expect(await daysLeft(student)).toBeCloseTo(265, 1);
  expect((await refund(upgrade.purchaseId)).status).toBe(200);
  expect(await student.access()).toMatchObject({ tier: "basic" });
  expect(await daysLeft(student)).toBeCloseTo(20, 1);
  expect(await compare(upgrade.purchaseId, lifetime.purchaseId)).toEqual([]);
});

test("of a chain within seven days, a refund of the one before leaves what its upgrade was credited with [P42]", async () => {
  const { student, monthly, upgrade } = await upgraded("3d");
  await pass("1d", student);
  await buy(student, "vip");
  await pass("1d", student);
  const { refundable, goesBackToo } = await preview(upgrade.purchaseId);
  expect(goesBackToo).toEqual([]);
  const used = (await preview(monthly.purchaseId)).refundable;
  expect(Number(used)).toBeCloseTo(4.9, 1);
  const ended = await refund(upgrade.purchaseId, { amount: Number(refundable), endAccess: true });
  expect(ended.body).toMatchObject({ amount: refundable });
  expect(await student.access()).toMatchObject({ tier: "vip" });
  // What the first payment contributed to the last one, through the ended one, stays credited too.
  expect(await preview(monthly.purchaseId)).toMatchObject({ refundable: used });
  expect(await refund(monthly.purchaseId, { amount: 49 })).toMatchObject({ status: 409, body: { code: "conflict" } });
});

test("of a year that comes back or begins earlier through a refund, its student is reminded before it ends", async () => {
  const remindersOf = async ({ email }: Visitor) =>
    (await academy.mails(email)).map(({ subject }) => subject).filter((subject) => subject.includes("Access ends"));
  const [upgrading, stacking] = [await academy.visitor().signUp(), await academy.visitor().signUp()];
  await buy(upgrading, "premium");
  await pass("100d", upgrading, stacking);
  const lifetime = await buy(upgrading, "vip");
  const first = await buy(stacking, "premium");
  await academy.advance("3m");
  await buy(stacking, "premium");
  await pass("5d", upgrading);
  for (const { purchaseId } of [lifetime, first]) expect((await refund(purchaseId)).status).toBe(200);
  expect(await daysLeft(upgrading)).toBeCloseTo(265, 1);
  const reminded = ["Your Annual Access ends in 30 days"];
  await academy.advance("234d");
  expect(await remindersOf(upgrading)).toEqual([]);
  await academy.advance("1d");
  expect(await remindersOf(upgrading)).toEqual(reminded);
  await academy.advance("100d");
  expect(await remindersOf(stacking)).toEqual(reminded);
});

test("days that come back beside a year that was bought since begin after it, and at once when that one is refunded too", async () => {
  const [kept, returned] = [await academy.purchase("basic"), await academy.purchase("basic")];
  const both = [kept.student, returned.student];
  const premiumForBoth = () => Promise.all(both.map((student) => buy(student, "premium")));
  const passForBoth = (duration: string) => pass(duration, ...both);
  await passForBoth("10d");
  const upgrades = await premiumForBoth();
  await passForBoth("3m");
  const years = await premiumForBoth();
  await passForBoth("10d");
  expect(await preview(upgrades[0]?.purchaseId ?? "")).toMatchObject({
    givesBack: [{ days: 20 }],
    accessAfter: { tier: "premium" },
  });
  for (const upgrade of upgrades) expect((await refund(upgrade.purchaseId)).status).toBe(200);
  expect(await daysLeft(kept.student)).toBeCloseTo(365, 1);
  const ended = years[1]?.purchaseId ?? "";
  expect(await preview(ended)).toMatchObject({ accessAfter: { tier: "basic" } });
  expect((await refund(ended)).status).toBe(200);
  expect(await returned.student.access()).toMatchObject({ tier: "basic" });
  expect(await daysLeft(returned.student)).toBeCloseTo(20, 1);
  expect((await returned.student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);

  await passForBoth("20d");
  await passForBoth("1h");
  expect((await detailOf(returned.purchaseId)).attempts).toMatchObject(renewedOnce);
  expect(await compare(returned.purchaseId, ended)).toEqual([]);
  await stopRenewals(academy);
  await pass("343d23h", kept.student);
  expect(await kept.student.access()).toMatchObject({ tier: "premium" });
  await pass("2d", kept.student);
  expect(await kept.student.access()).toMatchObject({ tier: "basic", source: "credit-returned" });
  expect(await daysLeft(kept.student)).toBeCloseTo(19, 1);
  const paid = [kept.purchaseId, ...upgrades.map(({ purchaseId }) => purchaseId), years[0]?.purchaseId ?? ""];
  expect(await compare(...paid)).toEqual([]);
});

test("an upgrade that a later one was credited with is not ended for a payment that was lost [P42]", async () => {
  const { student, monthly, upgrade } = await upgraded("10d");
  await pass("100d", student);
  await buy(student, "vip");
  await pass("2d", student);
  expect((await dispute(monthly.purchaseId)).status).toBe(200);
  const [found] = await open(upgrade.purchaseId);
  expect(await repair(found?.id, "end-upgrade")).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await detailOf(upgrade.purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "0.00" });
  expect(await student.access()).toMatchObject({ tier: "vip" });
  expect(await compare(upgrade.purchaseId)).toMatchObject([{ kind: "credit-unfounded" }]);
});
