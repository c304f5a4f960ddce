import PDFDocument from "pdfkit";
import { dollarsOf, formatCents, formatDollars } from "#contract/money.ts";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { formatDay } from "#server/base/dates.ts";
import { loadFont } from "#server/images/fonts.ts";
import { cleanText, drawableOf, isPlain, linesOf, type Run } from "./text-runs.ts";

const ink = "#17150f";
const soft = "#575246";
const line = "#d9d3c3";
const margin = 56;

interface ReceiptBranding {
  readonly brand: string;
  /** A PNG; null: the name alone. */
  readonly logo: Buffer | null;
}

export async function writeReceiptPdf(receipt: Receipt, { brand, logo }: ReceiptBranding): Promise<Buffer> {
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
  sheet.bar(0, 14, brand);
  if (logo) document.image(logo, margin, 24, { fit: [200, 28] });
  drawHead(sheet, receipt);
  drawParties(sheet, receipt);
  drawCharge(sheet, receipt);
  drawPayment(sheet, receipt);
  drawFoot(sheet, receipt);
  document.end();
  return Buffer.concat((await document.toArray()) as Buffer[]);
}

function drawHead(sheet: Sheet, { academyName, number, paidAt, timeZone }: Receipt): void {
  sheet.write(academyName, { y: margin, size: 12, bold: true });
  sheet.write("Receipt", { y: margin + 20, size: 30, bold: true });
  sheet.write(`No. ${number}`, { y: margin + 22, size: 10, color: soft, align: "right" });
  sheet.write(formatDay(paidAt, timeZone), { y: margin + 38, size: 10, color: soft, align: "right" });
}

function drawParties(sheet: Sheet, { seller, buyer }: Receipt): void {
  const top = 152;
  const half = sheet.width / 2;
  const party = (title: string, lines: readonly string[], x: number) => {
    let y = sheet.write(title, { x, y: top, size: 9, color: soft, width: half - 20 }) + 4;
    for (const text of lines) y = sheet.write(text, { x, y, size: 11, width: half - 20 }) + 2;
    return y;
  };
  const left = party("Sold by", linesOfParty(seller), 0);
  const right = party("Sold to", buyer ? linesOfParty(buyer) : deletedBuyer, half);
  sheet.y = Math.max(left, right) + 28;
}

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

function drawCharge(sheet: Sheet, receipt: Receipt): void {
  sheet.rule(ink, 1.5);
  const top = sheet.y + 14;
  const [plan, ...takenOff] = receipt.lines;
  const price = plan ? dollarsOf(plan.cents) : receipt.amount;
  sheet.write(formatDollars(price), { y: top, size: 13, bold: true, align: "right" });
  let y = sheet.write(receipt.planName, { y: top, size: 13, bold: true, width: sheet.width - 120 });
  y = sheet.write(describeCharge(receipt), { y: y + 3, size: 10, color: soft, width: sheet.width - 120 });
  sheet.y = y + 14;
  sheet.rule(line, 0.75);
  for (const { label, cents } of takenOff) sheet.row(label, formatCents(cents));
  sheet.row("Total paid", formatDollars(receipt.amount), true);
  for (const { amount, at } of receipt.refunds) {
    sheet.row(`Refunded on ${formatDay(at, receipt.timeZone)}`, formatDollars(-Number(amount)), true);
  }
  if (receipt.refundUnderWay) sheet.row("A refund is on its way", "", true);
  if (receipt.taxLine) {
    sheet.y = sheet.write(receipt.taxLine, { y: sheet.y + 10, size: 10, color: soft });
  }
  sheet.y += 24;
}

function drawPayment(sheet: Sheet, { card, transactionId, paidAt, timeZone }: Receipt): void {
  sheet.rule(line, 0.75);
  if (card) sheet.row("Paid with", `${card.brand} ending in ${card.last4}`);
  sheet.row("Transaction", transactionId);
  sheet.row("Date", formatDay(paidAt, timeZone));
}

function drawFoot(sheet: Sheet, { contactEmail }: Receipt): void {
  const sentence = `Questions about this payment? Write to ${contactEmail} and name the receipt number.`;
  sheet.write(sentence, { y: 792 - margin - 24, size: 9, color: soft });
}

function describeCharge({ kind, coversFrom, renewsEvery30Days, coaching, timeZone }: Receipt): string {
  if (kind === "renewal" && coversFrom) return `Renewal for 30 days from ${formatDay(coversFrom, timeZone)}`;
  if (renewsEvery30Days) return "First 30 days. Renews every 30 days until cancelled.";
  return `Paid once, does not renew.${coaching ? ` With 1-on-1 coaching: ${coaching}.` : ""}`;
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
        let left = margin + x + (align === "right" ? within - widthOf(runs) : 0);
        const baseline = y + size * (ascent + index * lineHeight);
        for (const run of runs) {
          setFont(run);
          document.text(run.text, left, baseline, { lineBreak: false, baseline: "alphabetic" });
          left += document.widthOfString(run.text);
        }
      }
      return y + lines.length * size * lineHeight;
    },
    row(label: string, value: string, bold = false) {
      const y = sheet.y + 10;
      sheet.write(value, { y, size: 11, bold, align: "right" });
      sheet.write(label, { y, size: 11, color: bold ? ink : soft });
      sheet.y = y + 16;
    },
    rule(color: string, thickness: number) {
      document
        .moveTo(margin, sheet.y)
        .lineTo(margin + width, sheet.y)
        .lineWidth(thickness)
        .stroke(color);
    },
    bar(y: number, height: number, color: string) {
      document.rect(0, y, document.page.width, height).fill(color);
    },
  };
  return sheet;
}
