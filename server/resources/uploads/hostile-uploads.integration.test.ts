import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "content-disposition";
import { afterEach, describe, expect, test } from "vitest";
import { type Resource, type ResourceFormat, resourceFormats } from "#contract/resources.ts";
import { openAcademy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { figureOf } from "#test/metrics.ts";
import { openConnection, openConnections } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";
import { inZip64, type NamedFile, officeOf, oleOf, samples, uploadForm, zipOf } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const limit = 1024 * 1024;
const maxGrowth = 150 * 1024 * 1024;

const academy = await forFile(openAcademy({ UPLOAD_LIMIT_MB: "1" }));
const admin = await academy.visitor().signInAsDemo("admin@academy.test");
const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
/** The names of incomplete uploads, and of stored files. */
const incoming = () => readdir(join(academy.dataDir, "files", "incoming"));
const stored = () => readdir(join(academy.dataDir, "files", "resources"));
const memory = () => figureOf(academy, "process_resident_memory_bytes");
const memoryAtFirst = await memory();
let accepted = (await list()).length;

/** Uploads as the administrator, and counts accepted files. */
async function sendBody(body: FormData | Uint8Array<ArrayBuffer>, headers?: Record<string, string | null>) {
  const response = await admin.send("POST", "/api/upload-resource", body, headers);
  const answer = (await response.json()) as { message: string; resources: Resource[] };
  if (response.ok) accepted += answer.resources.length;
  return { status: response.status, type: response.headers.get("content-type"), body: answer };
}
const send = (files: readonly NamedFile[]) => sendBody(uploadForm(files));

// After each, the same process still responds with as much memory, and there is one file for each accepted one.
afterEach(async () => {
  await until(async () => (await incoming()).length === 0);
  const kept = { resources: (await list()).length, files: (await stored()).length };
  const expected = { resources: accepted, files: accepted };
  // Reset, so that the following tests do not fail for the same reason.
  accepted = kept.resources;
  expect(kept).toEqual(expected);
  expect((await memory()) - memoryAtFirst).toBeLessThan(maxGrowth);
});

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

  test.each(resourceFormats)(".%s", async (format) => {
    for (const [kind, content] of Object.entries(strangers)) {
      const { status, body } = await send([{ name: `file.${format}`, content }]);
      expect(status, kind).toBe(isTrue(format, kind) ? 200 : 415);
      const refusal = `“file.${format}” is not a ${format.toUpperCase()} file, whatever its name says.`;
      if (!isTrue(format, kind)) expect(body.message, kind).toBe(refusal);
    }
  });
});

test("a file is what it says itself, and a refusal names its cause [U01]", async () => {
  const type = "wordprocessingml.document";
  const accepted: readonly NamedFile[] = [
    { name: "online.docx", content: officeOf(type, "word/document2.xml") },
    { name: "Invoice ACME Inc..pdf", content: samples.pdf },
    { name: "bom.pdf", content: Buffer.concat([Buffer.from("\ufeff"), samples.pdf]) },
    { name: "printed.pdf", content: Buffer.concat([Buffer.alloc(1000, "\n"), samples.pdf]) },
    { name: "large.zip", content: inZip64(samples.zip) },
    { name: "large.docx", content: inZip64(samples.docx) },
  ];
  for (const file of accepted) expect((await send([file])).status, file.name).toBe(200);

  const other = (format: string) => `is not a ${format} file, whatever its name says.`;
  const lying = inZip64(samples.zip);
  lying.fill(0xff, lying.length - 34, lying.length - 26);
  const refused: readonly [string, Buffer<ArrayBuffer>, string][] = [
    ["late.pdf", Buffer.concat([Buffer.alloc(1025, "\n"), samples.pdf]), other("PDF")],
    ["cut.pdf", samples.pdf.subarray(0, 40), "is cut off: its end is missing. Upload it again."],
    ["cut.docx", samples.docx.subarray(0, 90), "is cut off: its end is missing. Upload it again."],
    ["locked.docx", oleOf("EncryptedPackage"), "has a password. Save it without one, and upload it again."],
    ["missing.docx", officeOf(type, "word/document.xml", "/word/other.xml"), other("DOCX")],
    ["workbook.docx", samples.xlsx, other("DOCX")],
    ["lying.zip", lying, "is cut off: its end is missing. Upload it again."],
  ];
  for (const [name, content, words] of refused) {
    const { status, body } = await send([{ name, content }]);
    expect([status, body.message], name).toEqual([415, `“${name}” ${words}`]);
  }
});

describe("extensions [U02]", () => {
  test("a name with no extension of a resource is refused", async () => {
    for (const name of [
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
    ]) {
      expect((await send([{ name, content: samples.pdf }])).status, name).toBe(415);
    }
  });

  test("a true PDF is stored under a random name, whatever stands before its extension", async () => {
    for (const name of [
      "a.PDF",
      "a.php.pdf",
      "a.exe.pdf",
      "a.pdf ",
      "a.pdf.",
      "a.pdf..",
      "\u202ea.pdf",
      "a.p\u200bdf",
    ]) {
      const { status, body } = await send([{ name, content: samples.pdf }]);
      expect(status, name).toBe(200);
      expect(body.resources[0]?.fileName.toLowerCase().endsWith(".pdf"), name).toBe(true);
    }
    for (const file of await stored()) expect(file).toMatch(/^[0-9a-z]{20}$/);
  });
});

test("names are sanitised and sent back by RFC 6266 [U03]", async () => {
  for (const [name, label] of [
    ["../../../etc/passwd.pdf", "passwd.pdf"],
    ["C:\\Windows\\system32\\a.pdf", "a.pdf"],
    ["CON.pdf", "CON.pdf"],
    ["invoice\u202efdp.exe.pdf", "invoicefdp.exe.pdf"],
    ["\u2066left\u2069 \u061cto\u200f.pdf", "left to.pdf"],
    ["tab\tand\u0007bell.pdf", "tab andbell.pdf"],
    ["Übergröße – 価格表 📦.pdf", "Übergröße – 価格表 📦.pdf"],
    ["e\u0301tage.pdf", "étage.pdf"],
    ["100%.pdf", "100%.pdf"],
    ['the "best" list.pdf', 'the "best" list.pdf'],
    ["two\r\nlines.pdf", "two lines.pdf"],
    ["it's (new)*.pdf", "it's (new)*.pdf"],
    ["semi;colon=x.pdf", "semi;colon=x.pdf"],
    ["<img src=x onerror=alert(1)>.pdf", "<img src=x onerror=alert(1)>.pdf"],
    ["'; drop table course_resources; --.pdf", "'; drop table course_resources; --.pdf"],
    ["=HYPERLINK(1).pdf", "=HYPERLINK(1).pdf"],
    ["%2e%2e%2fa.pdf", "%2e%2e%2fa.pdf"],
    ["  spaced   out  .pdf", "spaced out .pdf"],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(146)}.pdf`],
    [`${"📦".repeat(200)}.pdf`, `${"📦".repeat(146)}.pdf`],
  ] as const) {
    const { status, body } = await send([{ name, content: samples.pdf }]);
    expect(status, name).toBe(200);
    expect(body.resources[0]?.fileName).toBe(label);
    const { headers } = await admin.send("GET", body.resources[0]?.fileUrl ?? "");
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; [ -[\]-~]+$/);
    expect(parse(disposition).parameters.filename).toBe(label);
  }
});

describe("sizes, bombs and cut-off files [U04 U05]", () => {
  const padded = (size: number) =>
    Buffer.concat([samples.pdf, Buffer.alloc(size - 2 * samples.pdf.length), samples.pdf]);

  test("an empty file and half of a file are refused", async () => {
    for (const format of resourceFormats) {
      const name = `a.${format}`;
      expect((await send([{ name, content: Buffer.alloc(0) }])).status, name).toBe(415);
      const content = samples[format].subarray(0, samples[format].length / 2);
      // An archive of this type is known by its beginning alone.
      if (format !== "rar") expect((await send([{ name, content }])).status, name).toBe(415);
    }
  });

  test("a file has at most one megabyte", async () => {
    for (const [size, expected] of [
      [limit, 200],
      [limit + 1, 413],
      [3 * limit, 413],
    ] as const) {
      const { status, body } = await send([{ name: "big.pdf", content: padded(size) }]);
      expect(status, `${size}`).toBe(expected);
      if (expected !== 200) expect(body.message).toBe("“big.pdf” is larger than 1 MB.");
    }
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

describe("forms that are none [U12]", () => {
  const boundary = "x0x";
  const part = (headers: string, body: string | Buffer) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from("\r\n")]);
  const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
  const file = (name: string, filename: string) =>
    part(
      `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/pdf`,
      samples.pdf,
    );
  const fields = [field("moduleId", "module-1"), field("title", "T"), field("requiredTier", "basic")];
  const end = Buffer.from(`--${boundary}--\r\n`);
  const whole = [...fields, file("files", "a.pdf"), end];
  const many = (count: number, one: Buffer) => Array.from({ length: count }, () => one);

  const forms: [string, Buffer[], string?][] = [
    ["no boundary", whole, "multipart/form-data"],
    ["another boundary", whole, "multipart/form-data; boundary=other"],
    ["a boundary of 500 characters", whole, `multipart/form-data; boundary=${"b".repeat(500)}`],
    ["JSON", [Buffer.from("{}")], "application/json"],
    ["no type", whole, ""],
    ["an empty body", []],
    ["only the end", [end]],
    ["no end", whole.slice(0, -1)],
    ["cut off in a file", [Buffer.concat(whole).subarray(0, -60)]],
    ["a part without disposition", [part("Content-Type: text/plain", "x"), ...fields, end]],
    ["a part without a name", [part("Content-Disposition: form-data", "x"), ...whole]],
    ["a file in another field", [...fields, file("moduleId", "a.pdf"), end]],
    ["a field where a file belongs", [...fields, field("files", "a.pdf"), end]],
    ["a field twice", [field("title", "First"), ...whole]],
    ["a field that does not belong", [field("id", "1"), ...whole]],
    ["a name that reaches for prototypes", [field("__proto__", "x"), ...whole]],
    ["10,000 fields", [...many(10_000, field("title", "x")), end]],
    [
      "a thousand headers",
      [part(Array.from({ length: 1000 }, (_, at) => `X-${at}: y`).join("\r\n"), "x"), ...fields, end],
    ],
    ["a title of 100 kilobytes", [field("description", "x".repeat(100_000)), ...whole]],
    ["a title with a NUL", [field("description", "a\0b"), ...whole]],
    [
      "a title of 201 characters",
      [field("moduleId", "module-1"), field("title", "x".repeat(201)), ...fields.slice(2), file("files", "a.pdf"), end],
    ],
    ["a line break in a file's name", [...fields, file("files", "a\r\nX: y.pdf"), end]],
    [
      "a quote that does not close",
      [...fields, part('Content-Disposition: form-data; name="files; filename=a.pdf', "x"), end],
    ],
    ["bare line feeds", [Buffer.from(Buffer.concat(whole).toString("latin1").replaceAll("\r\n", "\n"), "latin1")]],
    ["boundaries without end", [Buffer.from(`--${boundary}\r\n`.repeat(50_000))]],
  ];
  const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };

  test("a broken form is refused, and the same parts as a correct form are stored", async () => {
    for (const [name, parts, type = multipart["content-type"]] of forms) {
      const answer = await sendBody(new Uint8Array(Buffer.concat(parts)), { "content-type": type || null });
      expect(answer.status, name).toBeGreaterThanOrEqual(400);
      expect(answer.status, name).toBeLessThan(500);
      expect(answer.type, name).toContain("application/problem+json");
    }
    expect((await sendBody(new Uint8Array(Buffer.concat(whole)), multipart)).status).toBe(200);
  });

  test("names that are not UTF-8 are converted", async () => {
    const form = Buffer.concat([...fields, file("files", "\xff\xfe\xe4.pdf"), end]).toString("utf8");
    expect((await sendBody(new Uint8Array(Buffer.from(form, "latin1")), multipart)).status).toBe(200);
  });
});

/**
 * Sends a raw request. Resolves, when the connection ends, to the reply and the number of bytes that the academy
 * read.
 */
async function converse(head: string, write: (send: (bytes: Buffer) => Promise<boolean>) => Promise<void>) {
  const connection = await openConnection(academy, head);
  const { socket } = connection;
  const send = (bytes: Buffer) =>
    new Promise<boolean>((sent) => {
      if (socket.destroyed) return sent(false);
      const end = () => sent(false);
      socket.once("close", end);
      socket.write(bytes, (error) => {
        socket.off("close", end);
        sent(!error);
      });
    });
  void write(send);
  await connection.closed;
  return { answer: connection.answer, taken: socket.bytesWritten - socket.writableLength };
}
const headOf = (visitor: Visitor, more: string) =>
  [
    "POST /api/upload-resource HTTP/1.1",
    `Host: ${new URL(academy.url).host}`,
    `Origin: ${academy.url}`,
    `Cookie: ${visitor.cookieHeader}`,
    "Content-Type: multipart/form-data; boundary=x0x",
    more,
    "",
    "",
  ].join("\r\n");
const opening = Buffer.from(
  '--x0x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-1.4\n',
);
const megabyte = Buffer.alloc(1024 * 1024, 0x20);

describe("bodies that do not end, or not where they say [U06 U08 U13]", () => {
  test("a body without end is cut off soon after the limit", async () => {
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
    const { answer, taken } = await converse(headOf(admin, "Transfer-Encoding: chunked"), async (send) => {
      await send(chunk(opening));
      for (let sent = 0; sent < 2000 && (await send(chunk(megabyte))); sent++);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(taken).toBeLessThan(40 * megabyte.length);
  });

  test("a body announced as two gigabytes is refused unread", async () => {
    const { answer, taken } = await converse(headOf(admin, `Content-Length: ${2 ** 31}`), async (send) => {
      await send(opening);
      for (let sent = 0; sent < 2000 && (await send(megabyte)); sent++);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(taken).toBeLessThan(20 * megabyte.length);
  });

  test.each(["visitor", "vip@academy.test"])("a gigabyte from %s is refused without being read", async (who) => {
    const visitor = academy.visitor();
    if (who !== "visitor") await visitor.signInAsDemo(who);
    const { answer, taken } = await converse(headOf(visitor, `Content-Length: ${2 ** 30}`), async (send) => {
      await send(opening);
      for (let sent = 0; sent < 1000 && (await send(megabyte)); sent++);
    });
    expect(answer).toMatch(who === "visitor" ? /^HTTP\/1.1 401 / : /^HTTP\/1.1 403 /);
    // Bytes in the kernel's socket buffers count as sent.
    expect(taken).toBeLessThan(20 * megabyte.length);
  });

  test("a form from another site is refused [A21]", async () => {
    const form = uploadForm([{ name: "a.pdf", content: samples.pdf }]);
    const elsewhere = { origin: "https://elsewhere.example" };
    expect((await admin.send("POST", "/api/upload-resource", form, elsewhere)).status).toBe(403);
  });

  test("aborted uploads leave nothing behind", async () => {
    const begun = `${headOf(admin, `Content-Length: ${megabyte.length}`)}${opening}${" ".repeat(500_000)}`;
    const connections = await openConnections(40, academy, begun);
    await until(async () => (await incoming()).length > 0);
    for (const { socket } of connections) socket.resetAndDestroy();
  });

  test("a length that is shorter than the form is a broken form", async () => {
    const { answer } = await converse(
      headOf(admin, `Content-Length: ${opening.length + 100}\r\nConnection: close`),
      async (send) => {
        await send(opening);
        await send(megabyte.subarray(0, 100));
      },
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });
});
