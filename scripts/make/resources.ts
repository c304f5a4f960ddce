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
import PDFDocument from "pdfkit";
import yazl from "yazl";

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

const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const styles = { heading: 1, note: 2, money: 3, percent: 4 } as const;

const out = join(import.meta.dirname, "..", "..", "content", "resources");
mkdirSync(out, { recursive: true });
for (const sheet of sheets) writeFileSync(join(out, sheet.file), await workbook(sheet));
for (const list of checklists) writeFileSync(join(out, list.file), await onePage(list));

/** A workbook of one sheet: a note, headings, the example, and empty rows with formulas. */
async function workbook(sheet: Sheet): Promise<Buffer> {
  const parts: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook xmlns="${spreadsheet}" xmlns:r="${relationship}"><sheets><sheet name="${xml(sheet.name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ["rId1", "worksheet", "worksheets/sheet1.xml"],
      ["rId2", "styles", "styles.xml"],
    ]),
    "xl/styles.xml": `<styleSheet xmlns="${spreadsheet}"><numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><i/><sz val="10"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFD60A"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf fontId="2" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    "xl/worksheets/sheet1.xml": worksheet(sheet),
  };
  const zip = new yazl.ZipFile();
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  for (const [name, text] of Object.entries(parts)) {
    zip.addBuffer(Buffer.from(declaration + text), name, { mtime: made, forceDosTimestamp: true });
  }
  zip.end();
  return buffer(zip.outputStream);
}

function relations(list: [id: string, type: string, target: string][]): string {
  const items = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}

function worksheet({ columns, note, example }: Sheet): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const rows = [
    row(1, [text("A1", note, styles.note)]),
    row(
      2,
      columns.map(({ heading }, at) => text(`${letter(at)}2`, heading, styles.heading)),
    ),
    ...Array.from({ length: emptyRows }, (_, at) =>
      row(
        at + 3,
        columns.map((column, index) => cell(column, index, at + 3, example[index])),
      ),
    ),
  ];
  return `<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** Row 3 is the example. The rows below have formulas and constant values. */
function cell(
  { format, formula, heading }: Column,
  index: number,
  row: number,
  example: string | number | undefined,
): string {
  const at = `${letter(index)}${row}`;
  const style = format ? styles[format] : 0;
  const isExample = row === 3;
  if (formula) {
    const value = isExample ? `<v>${example}</v>` : "<v></v>";
    return `<c r="${at}" s="${style}"${isExample ? "" : ' t="str"'}><f>${xml(formula.replaceAll("{row}", String(row)))}</f>${value}</c>`;
  }
  if (!isExample && heading !== "Referral share") return `<c r="${at}" s="${style}"/>`;
  return typeof example === "number"
    ? `<c r="${at}" s="${style}"><v>${example}</v></c>`
    : text(at, example ?? "", style);
}

function text(at: string, value: string, style: number): string {
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t>${xml(value)}</t></is></c>`;
}

function row(number: number, cells: string[]): string {
  return `<row r="${number}">${cells.join("")}</row>`;
}

function letter(index: number): string {
  return String.fromCharCode("A".charCodeAt(0) + index);
}

function xml(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
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
