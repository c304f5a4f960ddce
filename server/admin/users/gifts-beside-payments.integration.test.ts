import { expect } from "vitest";
import { refundPurchase } from "#contract/admin/purchases.ts";
import { reactivateAccount, updateUserTier } from "#contract/admin/users.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import type { Tier } from "#contract/tiers.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

async function buy(tier: Tier) {
  const { student: visitor, ...bought } = await academy.purchase(tier);
  return { visitor, ...bought, userId: await visitor.id() };
}

const act = async (endpoint: Parameters<Visitor["call"]>[0], body: object) => {
  const answer = await admin.call(endpoint, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const { compare, repair, hold } = booksOf(admin);

test("a gift to an account on hold for declines ends its subscription and that hold", async () => {
  const { userId, visitor } = await buy("basic");
  await academy.nextChargesOf(visitor, "decline", "decline", "decline", "decline");
  for (const later of ["30d", "3d", "4d", "7d"]) await academy.advance(later, visitor, admin);
  expect(await visitor.subscription()).toMatchObject({ state: "on-hold" });
  await act(updateUserTier, { userId, newTier: "vip" });
  expect(await visitor.access()).toMatchObject({ tier: "vip", hasAccess: true, accountStatus: "active" });
  expect(await visitor.subscription()).toBeNull();
});

test("a gift to a held account, or beside a payment that is being confirmed, leaves nothing that renews", async () => {
  const held = await buy("basic");
  expect((await hold(held.visitor)).status).toBe(200);
  await act(updateUserTier, { userId: held.userId, newTier: "vip" });
  await act(reactivateAccount, { userId: held.userId });

  const visitor = await academy.visitor().signUp();
  await academy.nextChargesOf(visitor, "hold");
  const { body } = await visitor.buy("basic");
  expect(body).toMatchObject({ status: "pending" });
  await act(updateUserTier, { userId: await visitor.id(), newTier: "vip" });
  await academy.decide((await academy.transactionsOf(body.purchaseId))[0]?.transId, "approve");
  await academy.advance("1h", visitor, admin);
  const purchase = await visitor.purchase();
  expect(purchase).toMatchObject({ status: "completed", subscriptionStatus: "cancelled", nextBillingDate: null });
  expect((await academy.mailTo(visitor, "is ready")).text).toContain("It won't renew");

  await academy.advance("31d", visitor, held.visitor, admin);
  expect((await visitor.call(listPayments)).body.map(({ kind }) => kind)).toEqual(["initial"]);
  expect(await held.visitor.access()).toMatchObject({ tier: "vip", hasAccess: true });
  expect(await academy.chargedFor(held.purchaseId)).toEqual(["49.00"]);
});

test("the mail of a subscription that a gift ended names the gift, and no day on which the course closes", async () => {
  const { userId, visitor } = await buy("basic");
  const mailed = async () => {
    await academy.advance("1m");
    const mails = (await academy.mails(visitor.email)).filter(({ subject }) => /cancelled/.test(subject));
    return mails.map(({ text }) => text).join();
  };
  await act(updateUserTier, { userId, newTier: "vip" });
  expect(await mailed()).toContain("You still have Lifetime Access without an end date.");
  expect(await mailed()).not.toMatch(/use the course until|access until|resume/i);
});

test("a refund that failed opens again what it ended, and not what an administrator had ended before", async () => {
  const { userId, visitor, purchaseId, transactionId } = await buy("vip");
  await academy.advance("1d", visitor, admin);
  await act(updateUserTier, { userId, newTier: "basic" });
  await act(refundPurchase, { purchaseId, reason: "a test" });
  const made = (await academy.ledger()).find(({ refTransId }) => refTransId === transactionId);
  await academy.stage(made?.transId ?? "", "settlementError");
  const [found] = await compare();
  expect(found).toMatchObject({ kind: "refund-failed", purchaseId });
  expect((await repair(found?.id, "take-back")).status).toBe(200);
  expect(await visitor.access()).toMatchObject({ tier: "basic" });
  expect(await compare()).toEqual([]);
});
