import { expect } from "vitest";
import { getAcademy } from "#contract/academy.ts";
import { exportedLists } from "#contract/admin/admin.ts";
import { listAllPurchases } from "#contract/admin/purchases.ts";
import { updateUserTier } from "#contract/admin/users.ts";
import { getCatalogue, getPlayback, listPlans } from "#contract/catalogue.ts";
import { issueCertificate } from "#contract/certificates.ts";
import { exportData } from "#contract/profile.ts";
import { saveProgress } from "#contract/progress.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { changeSettings, draft, publish } from "#test/drafts.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { unzip } from "#test/unzip.ts";

const { academy, administrator: admin, test } = await academyOfFile();
await leaveOnlyJobs(academy);

const names = { basic: "Baker for a Month", premium: "Baker for a Year", vip: "Baker for Life" };

test("a renamed plan has its new name wherever its tier is meant, and what was sold keeps the old one", async ({
  student,
}) => {
  expect((await student.buy("premium")).status).toBe(200);
  await academy.advance("3m");

  for (const { id, tier } of (await student.call(listPlans)).body) {
    expect((await draft(admin, "plans", id, { name: names[tier] })).status).toBe(200);
  }
  expect((await changeSettings(admin, { name: "Salt & Sugar", certificateModules: 1 })).status).toBe(200);
  await publish(admin);

  expect((await student.call(getAcademy)).body).toMatchObject({ planNames: names });
  expect((await student.call(getPlayback, { params: { lessonId: "lesson-5-1" } })).body).toMatchObject({
    message: "This part of the course is included in Baker for Life.",
  });
  expect((await student.call(createQuote, { body: { tier: "basic", priceId: "basic_monthly" } })).body).toMatchObject({
    message: "You have Baker for a Year, which includes everything in Baker for a Month.",
  });
  expect(await student.purchases()).toMatchObject([{ planName: "Annual Access" }]);
  const query = { search: student.email };
  expect((await admin.call(listAllPurchases, { query })).body).toMatchObject([{ planName: "Annual Access" }]);

  const guest = await academy.visitor().signUp();
  const gift = { newTier: "premium", endsAt: new Date((await academy.now()) + 3_600_000).toISOString() };
  const given = { userId: await guest.id(), ...gift, reason: "a trial" };
  expect((await admin.call(updateUserTier, { body: given })).status).toBe(200);
  await academy.advance("2h");
  expect((await academy.mailTo(guest, "has ended")).subject).toBe("Your Baker for a Year has ended");
});

test("a student who joins after a rebrand finds an old name in no file", async () => {
  const student = await academy.buyer("vip");
  const lessons = (await admin.call(getCatalogue)).body.find(({ id }) => id === "module-1")?.lessons ?? [];
  const watch = async (watched: [number, number][]) => {
    for (const { id, comingSoon } of lessons)
      if (!comingSoon) await student.call(saveProgress, { params: { lessonId: id }, body: { watched, position: 0 } });
  };
  await watch([]);
  await academy.advance("1h", student, admin);
  await watch([[0, 86_400]]);
  const { certificate } = (await student.call(issueCertificate, { body: { name: "Ada Lovelace" } })).body;
  const [payment] = (await student.call(listPayments)).body;
  const code = certificate?.code ?? "";

  const read = async (path: string) => Buffer.from(await (await student.send("GET", path)).arrayBuffer());
  const files: Record<string, string> = {
    receipt: textsOfPdf(await read(`/api/user/receipts/${payment?.receiptId}/pdf`)),
    certificate: textsOfPdf(await read(`/api/certificates/${code}/pdf`)),
    feed: (await read("/changes.atom")).toString(),
    manifest: (await read("/site.webmanifest")).toString(),
  };
  // What was sold before and what the audit log recorded keep their names.
  for (const list of exportedLists.filter((one) => one !== "purchases" && one !== "audit"))
    files[list] = await (await exportList(admin, list)).text();
  const data = (await student.call(exportData)).body as Buffer;
  for (const [name, content] of unzip(data)) files[name] = content.toString();
  const old = /.{0,40}(?:(?:Monthly|Annual|Lifetime) Access|\bAcademy\b).{0,40}/g;
  for (const [name, text] of Object.entries(files)) expect.soft(text.match(old), name).toBeNull();
});
