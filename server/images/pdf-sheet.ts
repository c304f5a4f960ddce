import PDFDocument from "pdfkit";
import { barsOf } from "#contract/barcode.ts";
import type { Pair } from "#contract/branding.ts";
import { loadFont } from "./fonts.ts";
import { cleanText, drawableOf, isPlain, linesOf, type Run } from "./text-runs.ts";

const ink = "#17150f";
export const soft = "#575246";
const line = "#d9d3c3";
const margin = 56;
/** How far the frame is from what is in it. */
export const inset = 20;
const thick = 2;

export interface PdfBranding {
  readonly tag: Pair;
  /** A PNG; null: the name alone. */
  readonly logo: Buffer | null;
}

interface PdfFacts {
  readonly title: string;
  readonly author: string;
  readonly createdAt: Date;
  readonly academyName: string;
  readonly layout?: "portrait" | "landscape";
}

/** A framed page below the academy's name and logo, in the look of the slip at checkout. */
export async function drawPdf(
  { title, author, createdAt, academyName, layout = "portrait" }: PdfFacts,
  logo: Buffer | null,
  draw: (sheet: Sheet) => void,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: "LETTER",
    layout,
    margin,
    lang: "en-US",
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt },
  });
  const sheet = sheetOf(document);
  if (logo) document.image(logo, margin - inset, 24, { fit: [200, 28] });
  sheet.write(academyName, { x: -inset, y: margin, size: 12, bold: true });
  sheet.y = 80;
  draw(sheet);
  sheet.frame(80);
  document.end();
  return Buffer.concat((await document.toArray()) as Buffer[]);
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

export type Sheet = ReturnType<typeof sheetOf>;

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
    /** In one line. */
    widthOf(text: string, size: number, bold = false) {
      document.font(builtIn(bold), size);
      return widthOf(linesOf(drawableOf(text, builtIn(bold)), () => true)[0] ?? []);
    },
    /** A QR code, as high as wide. */
    squares(rows: readonly (readonly boolean[])[], { x, y, size }: { x: number; y: number; size: number }) {
      const side = size / rows.length;
      for (const [row, cells] of rows.entries()) {
        for (const [column, isDark] of cells.entries()) {
          if (isDark) document.rect(margin + x + column * side, y + row * side, side, side);
        }
      }
      document.fill(ink);
    },
    heightOf(text: string, size: number) {
      return document.font("Helvetica-Bold", size).heightOfString(text, { width });
    },
  };
  return sheet;
}
