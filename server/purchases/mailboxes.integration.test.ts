import { expect } from "vitest";
import { deleteUser } from "#contract/profile.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { settleUse } from "#server/coupons/coupons.ts";
import { openDb } from "#server/db/db.ts";
import { booksOf } from "#test/books.ts";
import { confirmAddress } from "#test/coaching.ts";
import { newCoupon, signUpConfirmed } from "#test/coupons.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();

const { preview, refund } = booksOf(administrator);
const coupon = (terms?: Parameters<typeof newCoupon>[2]) => newCoupon(academy, administrator, terms);

const quote = (student: Visitor, code: string) => student.call(createQuote, { body: { tier: "premium", code } });

async function buy(student: Visitor, code?: string): Promise<string> {
  const { status, body } = await student.buyQuoted("premium", {}, code);
  expect(status).toBe(200);
  return body.purchaseId;
}

async function deleteAccount(student: Visitor): Promise<void> {
  expect((await student.call(deleteUser)).status).toBe(200);
}

async function usesOf(code: string): Promise<string[]> {
  const { rows } = await academy.pool.query(
    "select state, address_hash is not null as is_known from coupon_uses where coupon_code = $1 order by updated_at",
    [code],
  );
  return rows.map(({ state, is_known }) => `${state} ${is_known ? "known" : "unknown"}`);
}

test("a code needs a confirmed address, and says so of any code", async ({ student }) => {
  const code = await coupon();
  for (const typed of [code, "NO-SUCH-CODE"]) {
    expect(await quote(student, typed)).toMatchObject({
      status: 409,
      body: { code: "coupon-refused", errors: { code: [expect.stringContaining("Confirm your email address")] } },
    });
  }
  await confirmAddress(academy, student);
  expect((await quote(student, code)).body.coupon).toBe(code);
});

test("a code is used once by a person, whatever account and spelling of the address it comes from [P48]", async () => {
  const code = await coupon();
  const student = await signUpConfirmed(academy, "once@example.test");
  await buy(student, code);
  await deleteAccount(student);
  const { rows } = await academy.pool.query("select * from coupon_uses where coupon_code = $1", [code]);
  expect(JSON.stringify(rows)).not.toContain("example.test");
  for (const email of ["once@example.test", "Once+again@example.test"]) {
    expect((await quote(await signUpConfirmed(academy, email), code)).body.code).toBe("coupon-refused");
  }
  expect((await quote(await signUpConfirmed(academy, "another@example.test"), code)).status).toBe(200);
});

test("of two accounts with one mailbox that pay with a code at once, one gets the discount [P48]", async () => {
  const code = await coupon();
  const students = [
    await signUpConfirmed(academy, "both@gmail.com"),
    await signUpConfirmed(academy, "b.o.t.h@googlemail.com"),
  ];
  const bodies = await Promise.all(students.map((student) => student.quotedPaymentFor("premium", {}, code)));
  const answers = await Promise.all(students.map((student, at) => student.call(acceptPayment, { body: bodies[at] })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe("quote-changed");
  expect(await usesOf(code)).toEqual(["used known"]);
});

test("a charge that is found after another account of the mailbox used the code counts too", async () => {
  const code = await coupon({ maxUses: 1 });
  const student = await signUpConfirmed(academy, "found@example.test");
  expect((await student.buyQuoted("premium", { zip: "46282" }, code)).status).toBe(402);
  await buy(await signUpConfirmed(academy, "found+later@example.test"), code);
  const { rows } = await academy.pool.query("select id from users where email = $1", [student.email]);
  const db = openDb(academy.pool as Parameters<typeof openDb>[0]);
  await db.transaction((tx) => settleUse(tx, { couponCode: code, userId: rows[0].id, state: "used" }, new Date()));
  expect((await usesOf(code)).toSorted()).toEqual(["used known", "used unknown"]);
});

test("a code for first purchases is refused to a person whose earlier account bought [P48]", async () => {
  const code = await coupon({ firstPurchaseOnly: true });
  const student = await academy.visitor().signUp("first@example.test");
  await buy(student);
  // Confirmed only after the purchase.
  await confirmAddress(academy, student);
  await deleteAccount(student);
  const again = await signUpConfirmed(academy, "first@example.test");
  expect((await quote(again, code)).body.code).toBe("coupon-refused");
});

test("a purchase of an address that is confirmed afterwards counts while its account lives", async () => {
  const code = await coupon({ firstPurchaseOnly: true });
  const student = await academy.visitor().signUp("later@example.test");
  await buy(student);
  await confirmAddress(academy, student);
  await academy.advance("1h", administrator);
  expect((await quote(await signUpConfirmed(academy, "later+2@example.test"), code)).body.code).toBe("coupon-refused");
});

test("a new account gets no second refund as a first purchase, and shows a card like an earlier one's [P48]", async () => {
  const card = { number: "5424000000000015" };
  const purchaseOf = async (student: Visitor) => (await student.buy("premium", card)).body.purchaseId;
  const student = await signUpConfirmed(academy, "guarantee@example.test");
  const first = await purchaseOf(student);
  expect(await preview(first)).toMatchObject({ withinPolicy: true, isFromEarlierAccount: false, sameCard: null });
  expect((await refund(first, { reason: undefined })).status).toBe(200);
  await deleteAccount(student);

  // The new account's address is not confirmed yet.
  const second = await purchaseOf(await academy.visitor().signUp("guarantee@example.test"));
  const again = { withinPolicy: false, policyUntil: null, isFromEarlierAccount: true };
  const sameCard = { accounts: 1, card: expect.stringMatching(/0015$/) };
  expect(await preview(second)).toMatchObject({ ...again, sameCard });
  expect((await refund(second, { reason: undefined })).status).toBe(409);
  expect((await refund(second, { reason: "a good reason" })).status).toBe(200);

  const stranger = await purchaseOf(await signUpConfirmed(academy, "nobody@example.test"));
  expect(await preview(stranger)).toMatchObject({ withinPolicy: true, sameCard: { accounts: 2 } });
});
