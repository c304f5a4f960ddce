import { encodeQR } from "qr";
import { type Certificate, modulesInWords } from "#contract/certificates.ts";
import { drawPdf, type PdfBranding, type Sheet, soft } from "#server/images/pdf-sheet.ts";
import { factsInWords, inWords } from "./words.ts";

/** One page, with fewer modules named where there are too many for it. */
export function writeCertificatePdf(certificate: Certificate, { tag, logo }: PdfBranding): Promise<Buffer> {
  const { name, academyName, issuedAt } = certificate;
  const title = `Certificate of ${name}`;
  const facts = {
    title,
    author: academyName,
    createdAt: new Date(issuedAt),
    academyName,
    layout: "landscape",
  } as const;
  return drawPdf(facts, logo, (sheet) => {
    drawName(sheet, certificate, tag);
    const top = sheet.y + 18;
    drawModules(sheet, certificate, top);
    drawFacts(sheet, certificate, top);
    sheet.y = bottom;
  });
}

const band = 150;
const bottom = 536;
/** Of the facts, on the right. */
const side = 210;
/** Of their labels. */
const beside = 74;

function drawName(sheet: Sheet, certificate: Certificate, tag: PdfBranding["tag"]): void {
  const top = sheet.y;
  sheet.fill(top, band, tag.ground);
  sheet.write("Certificate of completion", { y: top + 18, size: 12, bold: true, color: tag.ink });
  const size = [46, 38, 30, 24, 19].find((size) => sheet.widthOf(certificate.name, size, true) <= sheet.width) ?? 16;
  sheet.write(certificate.name, { y: top + 46, size, bold: true, color: tag.ink });
  const done = `completed ${modulesInWords(certificate.modules)} of ${certificate.academyName}`;
  sheet.write(done, { y: top + band - 42, size: 14, bold: true, color: tag.ink });
  sheet.y = top + band;
  sheet.edge();
}

function drawModules(sheet: Sheet, { modules, url }: Certificate, top: number): void {
  const width = sheet.width - side - 30;
  const size = modules.length > 6 ? 11 : 14;
  let y = sheet.write("What was completed", { y: top, size: 10, color: soft, width }) + 8;
  for (const [at, { position, title, lessons }] of modules.entries()) {
    const left = modules.length - at;
    if (y > bottom - 70 && left > 1) {
      sheet.write(`${left} more modules`, { y, size, width });
      break;
    }
    y = sheet.write(`Module ${position}: ${title} (${inWords(lessons, "lesson")})`, { y, size, width }) + size / 2;
  }
  sheet.write("Verify this certificate at", { y: bottom - 28, size: 10, color: soft });
  sheet.write(url, { y: bottom - 14, size: 10, width });
}

function drawFacts(sheet: Sheet, certificate: Certificate, top: number): void {
  const x = sheet.width - side;
  let y = top;
  for (const [label, value] of factsInWords(certificate)) {
    sheet.write(label, { x, y, size: 10, color: soft });
    // On one line: a code of many W would break after a hyphen.
    const size = [11, 10, 9].find((size) => sheet.widthOf(value, size) <= side - beside) ?? 8;
    y = sheet.write(value, { x: x + beside, y: y - 1, size }) + 7;
  }
  const size = 104;
  sheet.squares(encodeQR(certificate.url, "raw", { ecc: "low", border: 1 }), { x, y: bottom - size, size });
}
