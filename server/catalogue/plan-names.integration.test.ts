import { expect } from "vitest";
import { getAcademy } from "#contract/academy.ts";
import { draftPlan, getContent, publishContent } from "#contract/admin/content.ts";
import { listAllPurchases } from "#contract/admin/purchases.ts";
import { getPlayback } from "#contract/catalogue.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator, test } = await academyOfFile();

const names = { basic: "Baker for a Month", premium: "Baker for a Year", vip: "Baker for Life" };

test("a renamed plan has its new name wherever its tier is meant, and what was sold keeps the old one", async ({
  student,
}) => {
  const payment = await student.paymentFor("premium");
  expect((await student.call(acceptPayment, { body: payment })).status).toBe(200);
  await academy.advance("3m");

  const { plans } = (await administrator.call(getContent)).body;
  for (const { id, tier, published } of plans) {
    const body = { ...published, name: names[tier] };
    expect((await administrator.call(draftPlan, { params: { id }, body })).status).toBe(200);
  }
  expect((await administrator.call(publishContent, { body: {} })).status).toBe(200);

  expect((await student.call(getAcademy)).body).toMatchObject({ planNames: names });
  expect((await student.call(getPlayback, { params: { lessonId: "lesson-5-1" } })).body).toMatchObject({
    message: "This part of the course is included in Baker for Life.",
  });
  expect((await student.call(createQuote, { body: { tier: "basic", priceId: "basic_monthly" } })).body).toMatchObject({
    message: "You have Baker for a Year, which includes everything in Baker for a Month.",
  });
  expect((await student.call(listUserPurchases)).body).toMatchObject([{ planName: "Annual Access" }]);
  const query = { search: student.email };
  expect((await administrator.call(listAllPurchases, { query })).body).toMatchObject([{ planName: "Annual Access" }]);

  await academy.advance("366d");
  expect((await academy.mailTo(student, "has ended")).subject).toBe("Your Baker for a Year has ended");
});
