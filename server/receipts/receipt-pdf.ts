import { dollarsOf, formatCents, formatDollars } from "#contract/money.ts";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { chargeWords } from "#contract/purchases/sentences.ts";
import { formatDay } from "#server/base/dates.ts";
import { drawPdf, inset, type PdfBranding, type Sheet, soft } from "#server/images/pdf-sheet.ts";
import { drawableOf } from "#server/images/text-runs.ts";

interface ReceiptBranding extends PdfBranding {
  /** Without a barcode. */
  readonly isPlain: boolean;
}

/** Looks like the order's slip at checkout. */
export function writeReceiptPdf(receipt: Receipt, { tag, logo, isPlain }: ReceiptBranding): Promise<Buffer> {
  const { number, seller, paidAt, academyName } = receipt;
  const facts = { title: `Receipt ${number}`, author: seller.name, createdAt: new Date(paidAt), academyName };
  return drawPdf(facts, logo, (sheet) => {
    drawHead(sheet, receipt, isPlain);
    drawParties(sheet, receipt);
    drawAmount(sheet, receipt, tag);
    drawSum(sheet, receipt);
    drawPayment(sheet, receipt);
  });
}

function drawHead(sheet: Sheet, { number }: Receipt, isPlain: boolean): void {
  sheet.write("Receipt", { y: sheet.y + 14, size: 18, bold: true });
  if (!isPlain) sheet.barcode(number, sheet.y + 12);
  sheet.y += 46;
  sheet.edge();
}

function drawParties(sheet: Sheet, { seller, buyer, number, paidAt, timeZone }: Receipt): void {
  const half = sheet.width / 2;
  const pair = (left: Field, right: Field) => {
    const top = sheet.y;
    const ends = [left, right].map(([title, lines], at) => {
      const place = { x: at * (half + inset), width: half - inset };
      let y = sheet.write(title, { ...place, y: top + 12, size: 9, color: soft }) + 4;
      for (const text of lines) y = sheet.write(text, { ...place, y, size: 11 }) + 2;
      return y;
    });
    sheet.y = Math.max(...ends) + 12;
    sheet.divide(half, top);
    sheet.edge();
  };
  pair(["Receipt number", [number]], ["Date", [formatDay(paidAt, timeZone)]]);
  pair(["Sold by", linesOfParty(seller)], ["Sold to", buyer ? linesOfParty(buyer) : deletedBuyer]);
}

type Field = readonly [title: string, lines: readonly string[]];

/** A name that cannot be written whole names nobody, so the email address is beside it. */
function linesOfParty({ name, email, address = [] }: Party): string[] {
  const { text, isComplete } = drawableOf(name ?? "", "Helvetica");
  if (isComplete) return [text, ...address, email].filter((line) => line !== "");
  return [text === "" ? email : `${text} (${email})`, ...address];
}

interface Party {
  readonly name: string | null;
  readonly email: string;
  readonly address?: readonly string[];
}

const deletedBuyer = ["An account that was deleted"];

function drawAmount(sheet: Sheet, receipt: Receipt, tag: PdfBranding["tag"]): void {
  const top = sheet.y;
  const [amount, words] = [formatDollars(receipt.amount), chargeWords(receipt, formatDay)];
  const height = 76 + sheet.heightOf(words, 11);
  sheet.fill(top, height, tag.ground);
  sheet.write(amount, { y: top + 18, size: 38, bold: true, color: tag.ink });
  sheet.write(words, { y: top + 60, size: 11, bold: true, color: tag.ink });
  sheet.y = top + height;
}

function drawSum(sheet: Sheet, receipt: Receipt): void {
  const [plan, ...takenOff] = receipt.lines;
  sheet.row(receipt.planName, formatDollars(plan ? dollarsOf(plan.cents) : receipt.amount));
  for (const { label, cents } of takenOff) sheet.row(label, formatCents(cents));
  sheet.row("Total paid", formatDollars(receipt.amount), true);
  for (const { amount, at } of receipt.refunds) {
    sheet.row(`Refunded on ${formatDay(at, receipt.timeZone)}`, formatDollars(-Number(amount)), true);
  }
  if (receipt.refundUnderWay) sheet.row("A refund is on its way", "", true);
}

function drawPayment(sheet: Sheet, { card, transactionId, taxLine, contactEmail }: Receipt): void {
  if (card) sheet.row("Paid with", `${card.brand} ending in ${card.last4}`);
  sheet.row("Transaction", transactionId);
  const sentence = `Questions about this payment? Write to ${contactEmail} and include the receipt number.`;
  for (const text of [taxLine, sentence]) {
    if (text) sheet.y = sheet.write(text, { y: sheet.y + 14, size: 10, color: soft });
  }
}
