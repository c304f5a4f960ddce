import { expect } from "vitest";
import { listAllPurchases, refundPurchase } from "#contract/admin/purchases.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, test } = await academyOfFile();

test("a refund sixteen minutes after the sign-in moves nothing; a new sign-in lets it through [A27]", async () => {
  const buyer = await academy.visitor().signUp();
  await buyer.call(acceptPayment, { body: await buyer.paymentFor("basic") });
  const administrator = await academy.visitor().signInAtIssuer("admin@academy.test", "academy-demo");
  const { body } = await administrator.call(listAllPurchases, { query: { search: buyer.email } });
  const refund = () => administrator.call(refundPurchase, { body: { purchaseId: body[0]?.id } });
  const countRefunds = async () =>
    (await academy.ledger()).filter(({ type, status }) => /refund/i.test(type) || /void/i.test(status)).length;
  const before = await countRefunds();

  await academy.advance("16m");
  expect(await refund()).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  // The issuer remembers the browser: coming back from it proves nothing.
  expect((await administrator.navigate("/api/login?returnTo=/admin")).url.pathname).toBe("/admin");
  expect(await refund()).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  expect(await countRefunds()).toBe(before);

  const asked = await administrator.navigate("/api/login?again=true&returnTo=/admin%3Ftab%3Dpurchases");
  expect(asked.html).toContain("Password");
  const action = /<form[^>]*action="([^"]+)"/.exec(asked.html)?.[1] ?? "";
  const landed = await administrator.navigate(action, { email: "admin@academy.test", password: "academy-demo" });
  expect(`${landed.url.pathname}${landed.url.search}`).toBe("/admin?tab=purchases");
  expect((await refund()).status).toBe(200);
  expect(await countRefunds()).toBe(before + 1);
});
