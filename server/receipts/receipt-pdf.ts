import PDFDocument from "pdfkit";
import { barsOf } from "#contract/barcode.ts";
import type { Pair } from "#contract/branding.ts";
import { dollarsOf, formatCents, formatDollars } from "#contract/money.ts";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { chargeWords } from "#contract/purchases/sentences.ts";
import { formatDay } from "#server/base/dates.ts";
import { loadFont } from "#server/images/fonts.ts";
import { cleanText, drawableOf, isPlain, linesOf, type Run } from "#server/images/text-runs.ts";

const ink = "#17150f";
const soft = "#575246";
const line = "#d9d3c3";
const margin = 56;
/** How far the slip's frame is from what is in it. */
const inset = 20;
const thick = 2;

interface ReceiptBranding {
  readonly tag: Pair;
  /** A PNG; null: the name alone. */
  readonly logo: Buffer | null;
}

/** Looks like the order's slip at checkout. */
export async function writeReceiptPdf(receipt: Receipt, { tag, logo }: ReceiptBranding): Promise<Buffer> {
  const document = new PDFDocument({
    size: "LETTER",
    margin,
    lang: "en-US",
    displayTitle: true,
    info: {
      Title: `Receipt ${receipt.number}`,
      Author: receipt.seller.name,
      CreationDate: new Date(receipt.paidAt),
    },
  });
  const sheet = sheetOf(document);
  if (logo) document.image(logo, margin - inset, 24, { fit: [200, 28] });
  sheet.write(receipt.academyName, { x: -inset, y: margin, size: 12, bold: true });
  sheet.y = 80;
  drawHead(sheet, receipt);
  drawParties(sheet, receipt);
  drawAmount(sheet, receipt, tag);
  drawSum(sheet, receipt);
  drawPayment(sheet, receipt);
  sheet.frame(80);
  document.end();
  return Buffer.concat((await document.toArray()) as Buffer[]);
}

function drawHead(sheet: Sheet, { number }: Receipt): void {
  sheet.write("Receipt", { y: sheet.y + 14, size: 18, bold: true });
  sheet.barcode(number, sheet.y + 12);
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

function drawAmount(sheet: Sheet, receipt: Receipt, tag: Pair): void {
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

interface Placed {
  readonly x?: number;
  readonly y: number;
  readonly size: number;
  readonly width?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly align?: "left" | "right";
}

type Sheet = ReturnType<typeof sheetOf>;

/** How high above the baseline the built-in fonts begin, and how far apart lines of other scripts are, in sizes. */
const ascent = 0.718;
const lineHeight = 1.35;

function sheetOf(document: PDFKit.PDFDocument) {
  const width = document.page.width - 2 * margin;
  const [left, right] = [margin - inset, margin + width + inset];
  const builtIn = (bold: boolean) => (bold ? "Helvetica-Bold" : "Helvetica");
  const setFont = ({ font }: Run) => {
    // The library takes loaded fonts, which its types do not mention.
    if (!font.startsWith("Helvetica")) document.registerFont(font, loadFont(font) as never);
    document.font(font);
  };
  const widthOf = (runs: readonly Run[]) =>
    runs.reduce((sum, run) => {
      setFont(run);
      return sum + document.widthOfString(run.text);
    }, 0);
  const sheet = {
    width,
    y: margin,
    /** Returns where the next line may begin. */
    write(
      text: string,
      { x = 0, y, size, width: within = width - x, bold = false, color = ink, align = "left" }: Placed,
    ) {
      document.font(builtIn(bold), size).fillColor(color);
      const clean = cleanText(text);
      if (isPlain(clean)) {
        document.text(clean, margin + x, y, { width: within, align });
        return document.y;
      }
      const lines = linesOf(drawableOf(clean, builtIn(bold)), (runs) => widthOf(runs) <= within);
      for (const [index, runs] of lines.entries()) {
        let at = margin + x + (align === "right" ? within - widthOf(runs) : 0);
        const baseline = y + size * (ascent + index * lineHeight);
        for (const run of runs) {
          setFont(run);
          document.text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
          at += document.widthOfString(run.text);
        }
      }
      return y + lines.length * size * lineHeight;
    },
    /** A line of the sum or the payment, below a dashed rule. */
    row(label: string, value: string, bold = false) {
      document
        .moveTo(margin, sheet.y)
        .lineTo(margin + width, sheet.y)
        .lineWidth(0.75)
        .dash(3, { space: 3 })
        .stroke(line)
        .undash();
      const y = sheet.y + 10;
      sheet.write(value, { y, size: 11, bold, align: "right" });
      const end = sheet.write(label, { y, size: 11, bold, color: bold ? ink : soft, width: width - 120 });
      sheet.y = Math.max(end, y + 13) + 9;
    },
    /** A line across the slip. */
    edge() {
      document.moveTo(left, sheet.y).lineTo(right, sheet.y).lineWidth(thick).stroke(ink);
    },
    /** A line from `top` down to here. */
    divide(x: number, top: number) {
      document
        .moveTo(margin + x, top)
        .lineTo(margin + x, sheet.y)
        .lineWidth(thick)
        .stroke(ink);
    },
    fill(y: number, height: number, color: string) {
      document.rect(left, y, right - left, height).fill(color);
    },
    /** Around all from `top` to here. */
    frame(top: number) {
      document
        .rect(left, top, right - left, sheet.y + inset - top)
        .lineWidth(thick)
        .stroke(ink);
    },
    barcode(value: string, y: number) {
      document
        .save()
        .translate(margin + width - 110, y)
        .scale(1.1)
        .path(barsOf(value))
        .fill(ink)
        .restore();
    },
    heightOf(text: string, size: number) {
      return document.font("Helvetica-Bold", size).heightOfString(text, { width });
    },
  };
  return sheet;
}
