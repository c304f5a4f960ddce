import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { parse } from "content-disposition";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ResourceFormat, resourceFormats } from "#contract/resources.ts";
import { openUploadTarget, type UploadTarget } from "#test/uploads/upload-target.ts";
import { type NamedFile, samples, uploadForm, zipOf } from "#test/uploads/uploads.ts";

const limit = 1024 * 1024;

let target: UploadTarget;
beforeAll(async () => {
  target = await openUploadTarget();
});
afterAll(() => target?.[Symbol.asyncDispose]());
// After each, the same process still responds, and no file is left.
afterEach(() => target.expectNothingLeft());

const send = (files: readonly NamedFile[]) => target.send(uploadForm(files));

describe("a name that promises one thing over the content of another [U01]", () => {
  const strangers: Record<string, Buffer<ArrayBuffer>> = {
    program: Buffer.from("MZ\x90\x00This program cannot be run in DOS mode."),
    script: Buffer.from("#!/bin/sh\nrm -rf /\n"),
    page: Buffer.from("<!doctype html><script>alert(1)</script>"),
    drawing: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    picture: Buffer.from("GIF89a\x01\x00\x01\x00", "latin1"),
    text: Buffer.from("name,price\nkettle,19.99\n"),
    zeros: Buffer.alloc(5000),
    "late pdf": Buffer.concat([Buffer.from("<script>alert(1)</script>"), samples.pdf]),
    "late zip": Buffer.concat([Buffer.from("GIF89a", "latin1"), samples.zip]),
    ...samples,
  };
  // A document and a workbook are zip archives too.
  const isTrue = (format: ResourceFormat, kind: string) =>
    format === kind || (format === "zip" && (kind === "docx" || kind === "xlsx"));
  const cases = resourceFormats.flatMap((format) => Object.keys(strangers).map((kind) => [kind, format] as const));

  test.each(cases)("%s as .%s", async (kind, format) => {
    const { status, body } = await send([{ name: `file.${format}`, content: strangers[kind] ?? Buffer.alloc(0) }]);
    if (isTrue(format, kind)) {
      expect(status).toBe(200);
    } else {
      expect(status).toBe(415);
      expect(body.message).toBe(`“file.${format}” is not a whole ${format.toUpperCase()} file.`);
    }
  });
});

describe("extensions [U02]", () => {
  test.each([
    "a.pdf.exe",
    "a.pdf.html",
    "a.php",
    "a.svg",
    "a.html",
    "a",
    ".pdf",
    "pdf",
    ".htaccess",
    "a.",
    "a.pdf/",
    "a.pdfx",
    "a.pdf\u0000.html",
    "a.pdf%00.html",
    "a.p\u200bdf.js",
    "a.pdf;.exe",
    "a.pdf:stream",
    "",
    "..",
    "/",
    "a.ⓟⓓⓕ",
    "a.рdf",
  ])("%j is refused", async (name) => {
    expect((await send([{ name, content: samples.pdf }])).status).toBe(415);
  });

  test.each(["a.PDF", "a.php.pdf", "a.exe.pdf", "a.pdf ", "a.pdf.", "a.pdf..", "\u202ea.pdf", "a.p\u200bdf"])(
    "%j with a true PDF in it is stored under a random name",
    async (name) => {
      const { status, body } = await send([{ name, content: samples.pdf }]);
      expect(status).toBe(200);
      expect(body.resources[0]?.fileName.toLowerCase().endsWith(".pdf")).toBe(true);
      for (const file of await target.stored()) expect(file).toMatch(/^[0-9a-z]{20}$/);
    },
  );
});

describe("names are sanitised and sent back by RFC 6266 [U03]", () => {
  test.each([
    ["../../../etc/passwd.pdf", "passwd.pdf"],
    ["C:\\Windows\\system32\\a.pdf", "a.pdf"],
    ["CON.pdf", "CON.pdf"],
    ["invoice\u202efdp.exe.pdf", "invoicefdp.exe.pdf"],
    ["\u2066left\u2069 \u061cto\u200f.pdf", "left to.pdf"],
    ["tab\tand\u0007bell.pdf", "tab andbell.pdf"],
    ["Übergröße – 価格表 📦.pdf", "Übergröße – 価格表 📦.pdf"],
    ["e\u0301tage.pdf", "étage.pdf"],
    ["100%.pdf", "100%.pdf"],
    ["it's (new)*.pdf", "it's (new)*.pdf"],
    ["semi;colon=x.pdf", "semi;colon=x.pdf"],
    ["<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"],
    ["'; drop table course_resources; --.pdf", "'; drop table course_resources; --.pdf"],
    ["=HYPERLINK(1).pdf", "=HYPERLINK(1).pdf"],
    ["%2e%2e%2fa.pdf", "%2e%2e%2fa.pdf"],
    ["  spaced   out  .pdf", "spaced out .pdf"],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(146)}.pdf`],
    [`${"📦".repeat(200)}.pdf`, `${"📦".repeat(146)}.pdf`],
  ])("%j", async (name, label) => {
    const { status, body } = await send([{ name, content: samples.pdf }]);
    expect(status).toBe(200);
    expect(body.resources[0]?.fileName).toBe(label);
    const { headers } = await target.admin.send("GET", body.resources[0]?.fileUrl ?? "");
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; [ -~]+$/);
    expect(parse(disposition).parameters.filename).toBe(label);
  });
});

describe("sizes, bombs and cut-off files [U04 U05]", () => {
  const padded = (size: number) =>
    Buffer.concat([samples.pdf, Buffer.alloc(size - 2 * samples.pdf.length), samples.pdf]);

  test.each(resourceFormats)("an empty .%s is refused", async (format) => {
    expect((await send([{ name: `a.${format}`, content: Buffer.alloc(0) }])).status).toBe(415);
  });

  test.each([
    [limit - 1, 200],
    [limit, 200],
    [limit + 1, 413],
    [3 * limit, 413],
  ])("%i bytes of a limit of one megabyte: %i", async (size, expected) => {
    const { status, body } = await send([{ name: "big.pdf", content: padded(size) }]);
    expect(status).toBe(expected);
    if (expected !== 200) expect(body.message).toBe("“big.pdf” is larger than 1 MB.");
  });

  test("the files of one upload have a limit together, and a limit in number", async () => {
    const big = { name: "big.pdf", content: padded(limit) };
    const half = { name: "half.pdf", content: padded(limit / 2) };
    // By the parts' size, and by Content-Length before the body is read.
    for (const files of [
      [big, big, big, big, big, half],
      [big, big, big, big, big, big],
    ]) {
      expect(await send(files)).toMatchObject({
        status: 413,
        body: { message: "The files together are larger than 5 MB." },
      });
    }
    const small = { name: "small.pdf", content: samples.pdf };
    expect((await send(Array.from({ length: 11 }, () => small))).status).toBe(413);
    expect((await send(Array.from({ length: 10 }, () => small))).status).toBe(200);
  });

  test.each(resourceFormats.filter((format) => format !== "rar"))("half of a .%s is refused", async (format) => {
    const content = samples[format].subarray(0, samples[format].length / 2);
    expect((await send([{ name: `half.${format}`, content }])).status).toBe(415);
  });

  test("zip bombs and path traversal in archives are harmless, as nothing is unpacked", async () => {
    const bomb = zipOf({ "zeros.bin": "PK" });
    bomb.writeUInt32LE(0xffff_fff0, 22); // what it says it would become
    const slip = zipOf({ "../../../../tmp/academy-slipped.txt": "out", "/etc/cron.d/academy": "* * * * * root sh" });
    const nested = zipOf({ "1.zip": bomb, "2.zip": slip });
    for (const content of [bomb, slip, nested]) expect((await send([{ name: "a.zip", content }])).status).toBe(200);
    expect(await readdir(tmpdir())).not.toContain("academy-slipped.txt");
  });

  test("archives with a false directory offset are refused", async () => {
    for (const [at, value] of [
      [12, 0xffff_ffff],
      [16, 0xffff_ffff],
      [12, 0],
      [16, 7],
      [20, 9],
    ] as const) {
      const content = Buffer.from(samples.docx);
      if (at === 20) content.writeUInt16LE(value, content.length - 22 + at);
      else content.writeUInt32LE(value, content.length - 22 + at);
      const { status } = await send([{ name: "lying.docx", content }]);
      expect(status, `${at} ${value}`).toBe(415);
    }
  });

  test("a cyclic chain of directory sectors ends", async () => {
    const content = Buffer.from(samples.doc);
    content.writeUInt32LE(1, 512 + 4);
    content.fill(0, 1024);
    expect((await send([{ name: "circle.doc", content }])).status).toBe(415);
  });
});
