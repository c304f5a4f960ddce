import { expect, test } from "vitest";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { writeReceiptPdf } from "./receipt-pdf.ts";

const receipt: Receipt = {
  receiptId: "r1",
  number: "2026-0001",
  purchaseId: "p1",
  kind: "initial",
  planName: "Annual Access",
  tier: "premium",
  amount: "397.00",
  paidAt: "2026-11-25T10:00:00.000Z",
  refunded: null,
  academyName: "Academy",
  seller: { name: "Academy", email: "support@academy.test", address: [] },
  contactEmail: "support@academy.test",
  taxLine: null,
  timeZone: "UTC",
  buyer: null,
  card: null,
  transactionId: "60000001",
  renewsEvery30Days: false,
  coaching: null,
  coversFrom: null,
  refunds: [],
  refundUnderWay: false,
  lines: [],
};

const tag = { ground: "#ffd60a", ink: "#17150f" };
const receiptOf = (changes: Partial<Receipt>) =>
  writeReceiptPdf({ ...receipt, ...changes }, { tag, logo: null, isPlain: false });

/** What is drawn below "Sold to", each line from left to right. */
async function textsOfBuyer(name: string): Promise<string[]> {
  const texts = textsOfPdf(await receiptOf({ buyer: { name, email: "jo@x.test" } }));
  return texts.split("Sold to\n")[1]?.split("\n$397")[0]?.split("\n") ?? [];
}

const drawBuyer = async (name: string) => (await textsOfBuyer(name)).join("");

const reversed = (text: string) => [...text].reverse().join("");

test.each([
  ["Latin", "Łucja Ẹ̀bùn Nguyễn"],
  ["Greek", "Ἀλέξανδρος Παππάς"],
  ["Cyrillic", "Ђорђе Қазақбай"],
  ["Devanagari", "कमल नागर"],
  ["Thai", "สมชาย ใจดี"],
  ["Chinese", "欧阳锋 歐陽鋒 㛃"],
  ["Japanese", "山﨑 𠮷田 たろう・ｼﾞｮｰ"],
  ["Korean", "김민수"],
  ["letters that stand for others", "𝓙𝓸 Ké", "Jo Ké"],
])("a receipt writes a name of %s", async (_, name, drawn = name) => {
  expect(await drawBuyer(name)).toBe(`${drawn}jo@x.test`);
});

test.each([
  ["Arabic", "محمد عبد الرحمن حسن", reversed("محمد عبد الرحمن حسن")],
  ["Hebrew", "משה בן־דוד", reversed("משה בן־דוד")],
  ["Hebrew, with brackets, Latin and digits", "משה (Moshe) כהן 12", `12 ${reversed("כהן")} (Moshe) ${reversed("משה")}`],
  ["Latin, with Hebrew", "Moshe (משה כהן) 12", `Moshe (${reversed("משה כהן")}) 12`],
  ["Persian, with its digits", "رضا ۱۲۳", `۱۲۳ ${reversed("رضا")}`],
  ["Latin, with marks that would turn it", "Jo\u202e 00.1$ \u2067Smith", "Jo 00.1$ Smith"],
])("a receipt draws a name in the order in which it is read: %s", async (_, name, drawn) => {
  expect(await drawBuyer(name)).toBe(`${drawn}jo@x.test`);
});

test.each([
  ["ᏣᎳᎩ Smith 🧑‍🚀", "Smith (jo@x.test)"],
  ["ᏣᎳᎩ", "jo@x.test"],
  // The font library has no position for these marks.
  ["ฬู่ Kim", "Kim (jo@x.test)"],
])("the address stands beside a name that no font can write: %s", async (name, drawn) => {
  expect(await drawBuyer(name)).toBe(drawn);
});

test("a word that is longer than a line goes on below", async () => {
  const [first = "", second = "", third] = await textsOfBuyer("Ł".repeat(50));
  expect(first.length).toBeGreaterThan(second.length);
  expect([first + second, third]).toEqual(["Ł".repeat(50), "jo@x.test"]);
});

test("a receipt in the characters of every reader embeds no font", async () => {
  const pdf = await receiptOf({ buyer: { name: "Zoe\u0308 O’Brien", email: "jo@x.test" } });
  expect(pdf.toString("latin1")).not.toContain("/FontFile");
});
