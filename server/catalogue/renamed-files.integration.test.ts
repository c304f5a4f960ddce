import { expect } from "vitest";
import { exportedLists } from "#contract/admin/admin.ts";
import { draftPlan, draftSettings, getContent, publishContent } from "#contract/admin/content.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { issueCertificate } from "#contract/certificates.ts";
import { exportData } from "#contract/profile.ts";
import { saveProgress } from "#contract/progress.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { unzip } from "#test/unzip.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const names = { basic: "Baker for a Month", premium: "Baker for a Year", vip: "Baker for Life" };

test("a student who joins after a rebrand finds an old name in no file", async () => {
  const { plans, settings } = (await admin.call(getContent)).body;
  for (const { id, tier, published } of plans) {
    const body = { ...published, name: names[tier] };
    expect((await admin.call(draftPlan, { params: { id }, body })).status).toBe(200);
  }
  const body = { ...settings.published, name: "Salt & Sugar", certificateModules: 1 };
  expect((await admin.call(draftSettings, { body })).status).toBe(200);
  expect((await admin.call(publishContent, { body: {} })).status).toBe(200);

  const student = await academy.visitor().signUp();
  await student.call(acceptPayment, { body: await student.paymentFor("vip") });
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
  const data = await student.send(exportData.method, exportData.path);
  for (const [name, content] of unzip(Buffer.from(await data.arrayBuffer()))) files[name] = content.toString();
  const old = /.{0,40}(?:(?:Monthly|Annual|Lifetime) Access|\bAcademy\b).{0,40}/g;
  for (const [name, text] of Object.entries(files)) expect.soft(text.match(old), name).toBeNull();
});
