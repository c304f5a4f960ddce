import { expect } from "vitest";
import { listAllPurchases } from "#contract/admin/purchases.ts";
import { updateProfile } from "#contract/profile.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { getReceipt, listPayments } from "#contract/purchases/receipts.ts";
import { formatDay } from "#server/base/dates.ts";
import { changeSettings, draft, publish } from "#test/drafts.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { expectReceiptNumbersWithoutGaps } from "#test/receipt-numbers.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
test.afterEach(() => leaveBehind(academy));

const pdfOf = (person: Visitor, id: string) => person.send("GET", `/api/user/receipts/${id}/pdf`);

test("a receipt says who sold what to whom, when, for how much and from which card", async ({ student: person }) => {
  const { purchaseId, transactionId } = (await person.buy("basic")).body;
  const [payment] = (await person.call(listPayments)).body;
  expect(payment).toMatchObject({
    purchaseId,
    kind: "initial",
    planName: "Monthly Access",
    amount: "49.00",
    refunded: null,
  });
  const { body } = await person.call(getReceipt, { params: { id: payment?.receiptId ?? "" } });
  expect(body).toMatchObject({
    seller: { name: "Academy", email: "support@academy.test" },
    buyer: { name: "Jo Vendor", email: person.email },
    card: { last4: "1111" },
    transactionId,
    renewsEvery30Days: true,
    refunds: [],
    refundUnderWay: false,
  });
  expect((await person.call(getReceipt, { params: { id: purchaseId } })).body).toEqual(body);
});

test("each renewal has a receipt of the 30 days that it opened, also a late one, and a declined card none", async () => {
  const person = await academy.visitor().signUp();
  await person.buy("basic", { zip: "46282" });
  expect((await person.call(listPayments)).body).toEqual([]);
  await person.buy("basic");
  for (const days of [30, 33]) {
    await academy.advance(`${days}d`, person);
    const [renewal] = (await person.call(listPayments)).body;
    const { coversFrom } = (await person.call(getReceipt, { params: { id: renewal?.receiptId ?? "" } })).body;
    const { paidUntil } = (await person.subscription()) ?? {};
    expect(Date.parse(paidUntil ?? "") - Date.parse(coversFrom ?? "")).toBe(30 * 86_400_000);
  }
  const payments = (await person.call(listPayments)).body;
  expect(payments.map(({ kind }) => kind)).toEqual(["renewal", "renewal", "initial"]);
  expect(new Set(payments.map(({ receiptId }) => receiptId)).size).toBe(3);
});

test("receipt numbers have no gaps when people pay at the same time, twice, or with a declined card", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => academy.visitor().signUp()));
  await Promise.all(
    people.map(async (person, at) => {
      const body = await person.paymentFor("premium", at === 0 ? { zip: "46282" } : {});
      await Promise.all([person.call(acceptPayment, { body }), person.call(acceptPayment, { body })]);
    }),
  );
  await academy.advance("1m");
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const [payment] = (await people[1]?.call(listPayments))?.body ?? [];
  const { number } = (await people[1]?.call(getReceipt, { params: { id: payment?.receiptId ?? "" } }))?.body ?? {};
  expect(number).toMatch(/^20\d\d-\d{4}$/);
  for (const search of [number ?? "", payment?.receiptId ?? ""]) {
    const { body } = await administrator.call(listAllPurchases, { query: { search } });
    expect(body).toMatchObject([{ id: payment?.purchaseId, receiptNumbers: [number] }]);
    expect(await (await exportList(administrator, "purchases", { filter: { search } })).text()).toContain(
      `,${number},`,
    );
  }
  await expectReceiptNumbersWithoutGaps(academy.pool);
  // As of the time before there were numbers.
  const id = payment?.receiptId ?? "";
  await academy.pool.query("update payment_attempts set receipt_number = null where id = $1", [id]);
  const { body } = await administrator.call(listAllPurchases, { query: { search: id } });
  expect(body).toMatchObject([{ id: payment?.purchaseId, receiptNumbers: [id] }]);
});

test("somebody else's receipt is not found, like one that never was [Z13]", async ({ student }) => {
  const { purchaseId } = (await student.buy("premium")).body;
  const stranger = await academy.visitor().signUp();
  for (const id of [purchaseId, "none", "%00", "..%2f..", "-1"]) {
    const [json, pdf] = [await stranger.send("GET", `/api/user/receipts/${id}`), await pdfOf(stranger, id)];
    expect([404, 400], id).toContain(json.status);
    expect(pdf.status, id).toBe(json.status);
  }
  expect((await pdfOf(academy.visitor(), purchaseId)).status).toBe(401);
});

test("the PDF is a file to save, and writes names of many scripts", async ({ student }) => {
  const { purchaseId } = (await student.buy("premium")).body;
  const plain = await pdfOf(student, purchaseId);
  expect(plain.headers.get("content-type")).toBe("application/pdf");
  expect(plain.headers.get("content-disposition")).toMatch(/^attachment; filename=receipt-[\w-]+\.pdf$/);
  const bytes = Buffer.from(await plain.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes.length).toBeLessThan(20_000);
  const body = { firstName: "Łucja", lastName: "Ђорђевић", phone: "", location: "", bio: "" };
  await student.call(updateProfile, { body });
  const other = Buffer.from(await (await pdfOf(student, purchaseId)).arrayBuffer());
  // Only a font of its own can write this name.
  expect(other.toString("latin1")).toContain("DejaVuSans");
});

test("a payment that the gateway decides days later has one date, in its mail as on its receipt", async () => {
  const student = await academy.visitor().signUp();
  await academy.nextChargesOf(student, "hold");
  const { purchaseId } = (await student.buy("premium")).body;
  await academy.advance("3d");
  await academy.decide((await academy.transactionsOf(purchaseId))[0]?.transId, "approve");
  // By now the gateway is asked once a night.
  await academy.advance("1d");
  const { body } = await student.call(getReceipt, { params: { id: purchaseId } });
  expect((await academy.mailTo(student, "is ready")).text).toContain(`Date: ${formatDay(body.paidAt, "UTC")}`);
});

test("a receipt stays as it was when the academy, its seller and the plan are renamed, and later receipts say what is new", async () => {
  const person = await academy.visitor().signUp();
  const { purchaseId } = (await person.buy("basic")).body;
  const receiptOf = async (id: string) => (await person.call(getReceipt, { params: { id } })).body;
  const before = await receiptOf(purchaseId);
  const printed = async () => textsOfPdf(Buffer.from(await (await pdfOf(person, purchaseId)).arrayBuffer()));
  const printedBefore = await printed();

  for (const name of ["Salt & Sugar", "Sugar & Salt"]) {
    await academy.advance("1d");
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    const seller = { sellerName: `${name} Ltd.`, sellerAddress: "1 Mill Lane\nYork", taxLine: "VAT included" };
    const others = { supportEmail: "oven@bakery.example", receiptPrefix: "salt", timeZone: "Pacific/Kiritimati" };
    await changeSettings(admin, { name, ...seller, ...others });
    await draft(admin, "plans", "basic_monthly", { name: `${name}, monthly` });
    await publish(admin);
  }
  await academy.advance("30d", person);
  expect(await receiptOf(purchaseId)).toEqual({ ...before, contactEmail: "oven@bakery.example" });
  expect(await printed()).toBe(printedBefore.replace(`${before.contactEmail} and`, "oven@bakery.example and"));
  const payments = (await person.call(listPayments)).body;
  expect(payments.map(({ planName }) => planName)).toEqual(["Sugar & Salt, monthly", "Monthly Access"]);
  expect(await receiptOf(payments[0]?.receiptId ?? "")).toMatchObject({
    number: expect.stringMatching(/^SALT-20\d\d-\d{4}$/),
    academyName: "Sugar & Salt",
    seller: { name: "Sugar & Salt Ltd.", email: "oven@bakery.example", address: ["1 Mill Lane", "York"] },
    taxLine: "VAT included",
    timeZone: "Pacific/Kiritimati",
  });
});
