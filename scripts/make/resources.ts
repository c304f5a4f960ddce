/**
 * Makes the course files in content/resources: workbooks with their formulas, and checklists of one page.
 *
 *   node_modules/.bin/node scripts/make/resources.ts
 *
 * The results are committed, so nobody needs this to run the academy. The same words make the same bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Cell, writeXlsx } from "hucre/xlsx";
import PDFDocument from "pdfkit";

interface Column {
  heading: string;
  /** In characters. */
  width: number;
  format?: "money" | "percent";
  /** `{row}` is replaced by the row's number. */
  formula?: string;
}

interface Sheet {
  file: string;
  name: string;
  note: string;
  columns: Column[];
  /** An example row. Has the values of formulas too, for programs that do not compute them. */
  example: (string | number)[];
}

interface Checklist {
  file: string;
  title: string;
  lead: string;
  parts: { heading: string; steps: string[] }[];
}

const made = new Date("2025-07-19T12:00:00Z");
const emptyRows = 40;

const sheets: Sheet[] = [
  {
    file: "buy-sheet.xlsx",
    name: "Buy sheet",
    note: "Fill in the first four columns. The referral fee is 15 percent here: change it where yours differs. Example in row 3.",
    columns: [
      { heading: "Product", width: 34 },
      { heading: "Shelf price", width: 13, format: "money" },
      { heading: "Selling price", width: 14, format: "money" },
      { heading: "Fulfillment fee", width: 16, format: "money" },
      { heading: "Shipping in", width: 13, format: "money" },
      { heading: "Referral share", width: 15, format: "percent" },
      { heading: "All fees", width: 12, format: "money", formula: 'IF(C{row}="","",C{row}*F{row}+D{row}+E{row})' },
      { heading: "Left over", width: 12, format: "money", formula: 'IF(C{row}="","",C{row}-B{row}-G{row})' },
      { heading: "Return", width: 11, format: "percent", formula: 'IF(OR(C{row}="",B{row}=0),"",H{row}/B{row})' },
    ],
    example: ["Example: board game", 9, 31, 6.4, 0.6, 0.15, 11.65, 10.35, 1.15],
  },
  {
    file: "shipment-log.xlsx",
    name: "Shipment log",
    note: "One row for each box, written before it is taped. Keep it until the count is confirmed. Example in row 3.",
    columns: [
      { heading: "Shipped on", width: 13 },
      { heading: "Box", width: 8 },
      { heading: "Contents", width: 44 },
      { heading: "Units", width: 9 },
      { heading: "Weight, lb", width: 12 },
      { heading: "Carrier", width: 14 },
      { heading: "Tracking number", width: 26 },
      { heading: "Units received", width: 16 },
      { heading: "Missing", width: 11, formula: 'IF(H{row}="","",D{row}-H{row})' },
    ],
    example: ["2025-07-18", "1 of 2", "6 board games, 4 kettles", 10, 38.5, "UPS", "1Z 000 000 00 0000 000 0", 9, 1],
  },
  {
    file: "buying-list.xlsx",
    name: "Buying list",
    note: "Start from one product that sold. Write down its neighbors and check them on every trip. Example in row 3.",
    columns: [
      { heading: "Sold well", width: 30 },
      { heading: "Neighbor to check", width: 34 },
      { heading: "Why", width: 24 },
      { heading: "Store and aisle", width: 24 },
      { heading: "Season", width: 14 },
      { heading: "Most I pay", width: 13, format: "money" },
      { heading: "Last looked", width: 14 },
      { heading: "Result", width: 24 },
    ],
    example: [
      "Board game",
      "Its travel edition",
      "Same brand",
      "Main St, aisle 14",
      "November",
      9,
      "2025-07-12",
      "Not marked down yet",
    ],
  },
];

const checklists: Checklist[] = [
  {
    file: "prep-checklist.pdf",
    title: "Prep checklist",
    lead: "One page for the packing table. Every unit, every time.",
    parts: [
      {
        heading: "Peel",
        steps: [
          "Every store sticker is off, and the glue under it.",
          "No price, no clearance mark, no security tag is left.",
          "The box is not torn; a torn one goes back to the store.",
        ],
      },
      {
        heading: "Bag",
        steps: [
          "Plush, cloth and anything with loose parts is in a clear bag.",
          "Bags with an opening of five inches or more carry the suffocation warning.",
          "The bag is sealed and no larger than it needs to be.",
        ],
      },
      {
        heading: "Wrap",
        steps: [
          "Glass and liquids are wrapped, and the lid is secured.",
          "Sets are marked: sold as a set, do not separate.",
        ],
      },
      {
        heading: "Label",
        steps: [
          "The unit's label covers every other barcode on it.",
          "It lies flat, off the edges and off the curves.",
          "The scanner reads it at the first try.",
        ],
      },
      {
        heading: "Drop test",
        steps: [
          "From three feet: on a corner, on an edge, on each side.",
          "Nothing opens, nothing breaks, the label still scans.",
        ],
      },
    ],
  },
  {
    file: "business-credit-checklist.pdf",
    title: "Business credit checklist",
    lead: "What to have in place before you ask for terms, in this order.",
    parts: [
      {
        heading: "Separate",
        steps: [
          "The business has a legal form, a name and an address that are the same on every paper.",
          "It has a tax number of its own.",
          "It has a bank account of its own, and no household bill is paid from it.",
        ],
      },
      {
        heading: "Record",
        steps: [
          "Every purchase and every sale is in one book, with its receipt.",
          "The book and the bank statement agree at the end of each month.",
        ],
      },
      {
        heading: "First terms",
        steps: [
          "One supplier sells to you on 30-day terms and reports payments.",
          "Three invoices are paid before they are due.",
          "The report shows them; what is wrong in it is disputed in writing.",
        ],
      },
      {
        heading: "Before you sign",
        steps: [
          "You know the yearly cost of the money in percent, fees included.",
          "You could pay it back if the stock sold for half.",
          "Somebody qualified has read the contract.",
        ],
      },
    ],
  },
];

const formats = { money: '"$"#,##0.00', percent: "0%" } as const;

const out = join(import.meta.dirname, "..", "..", "content", "resources");
mkdirSync(out, { recursive: true });
for (const sheet of sheets) writeFileSync(join(out, sheet.file), await workbook(sheet));
for (const list of checklists) writeFileSync(join(out, list.file), await onePage(list));

/** A workbook of one sheet: a note, headings, the example, and empty rows with formulas. */
function workbook({ name, note, columns, example }: Sheet): Promise<Uint8Array> {
  const cells = new Map<string, Partial<Cell>>([
    ["0,0", { value: note, style: { font: { name: "Calibri", italic: true, size: 10 } } }],
  ]);
  const style = {
    font: { name: "Calibri", bold: true, size: 11 },
    fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "FFD60A" } },
  } as const;
  for (const [at, { heading }] of columns.entries()) cells.set(`1,${at}`, { value: heading, style });
  for (let row = 2; row < 2 + emptyRows; row += 1) {
    for (const [at, column] of columns.entries()) cells.set(`${row},${at}`, cellOf(column, row, example[at] ?? ""));
  }
  const widths = columns.map(({ width }) => ({ width }));
  const sheets = [{ name, columns: widths, cells, freezePane: { rows: 2 } }];
  return writeXlsx({ sheets, properties: { created: made, modified: made } });
}

/** The row at 2 is the example. The rows below have formulas and constant values. */
function cellOf({ format, formula, heading }: Column, row: number, example: string | number): Partial<Cell> {
  const style = format ? { style: { numFmt: formats[format] } } : {};
  const isExample = row === 2;
  if (formula) {
    return { ...style, formula: formula.replaceAll("{row}", String(row + 1)), formulaResult: isExample ? example : "" };
  }
  return { ...style, value: isExample || heading === "Referral share" ? example : null };
}

/** A letter-size page with boxes to tick. */
async function onePage({ title, lead, parts }: Checklist): Promise<Buffer> {
  const page = new PDFDocument({
    size: "LETTER",
    margin: 56,
    info: { Title: title, CreationDate: made },
  });
  const content = buffer(page);
  page.rect(0, 0, 612, 14).fill("#ffd60a").fill("#17150f");
  page.font("Helvetica-Bold").fontSize(30).text(title, 56, 52);
  page.font("Helvetica").fontSize(12).text(lead, { paragraphGap: 10 });
  for (const { heading, steps } of parts) {
    page
      .moveDown(0.8)
      .font("Helvetica-Bold")
      .fontSize(15)
      .text(heading, 56)
      .moveDown(0.3)
      .font("Helvetica")
      .fontSize(11.5);
    for (const step of steps) {
      page
        .lineWidth(1.2)
        .rect(57, page.y + 0.5, 10, 10)
        .stroke();
      page.text(step, 78, page.y, { paragraphGap: 7 });
    }
  }
  page.font("Helvetica").fontSize(9).text("Read the tag. Do the sum. Ship the box.", 56, 720, { lineBreak: false });
  page.end();
  return content;
}
