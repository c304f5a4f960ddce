import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Resource, type ResourceFormat, resourceFormats } from "#contract/resources.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";
import { type NamedFile, samples, uploadForm, zipOf } from "#test/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const limit = 1024 * 1024;

let dataDir: string;
let academy: Academy;
let admin: Visitor;
let memoryAtFirst: number;
/** What was accepted and must be on disk, and nothing else. */
let stored = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "academy-hostile-"));
  academy = await openAcademy({ DATA_DIR: dataDir, UPLOAD_LIMIT_MB: "1" });
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
  stored = (await list()).length;
  memoryAtFirst = await memory();
});
afterAll(async () => {
  await academy[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

// After each of them: no leftovers, a file for each row, and the process of the first test still answers.
afterEach(async () => {
  await until(async () => (await readdir(join(dataDir, "files", "incoming"))).length === 0);
  const kept = { resources: (await list()).length, files: (await filesStored()).length };
  const expected = { resources: stored, files: stored };
  stored = kept.resources;
  expect(kept).toEqual(expected);
  expect((await memory()) - memoryAtFirst).toBeLessThan(150 * 1024 * 1024);
});

const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
const filesStored = () => readdir(join(dataDir, "files", "resources")).catch(() => []);
const memory = async () => {
  const text = await (await fetch(`${academy.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
};
const send = async (files: readonly NamedFile[], fields?: Record<string, string>) => {
  const response = await admin.send("POST", "/api/upload-resource", uploadForm(files, fields));
  return noted(response);
};
/** Keeps the count of what was accepted. */
const noted = async (response: Response) => {
  const body = (await response.json()) as { message: string; resources: Resource[] };
  if (response.ok) stored += body.resources.length;
  return { status: response.status, body };
};

describe("U01 a name that promises one thing over the content of another", () => {
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

describe("U02 extensions", () => {
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
      for (const file of await filesStored()) expect(file).toMatch(/^[0-9a-z]{20}$/);
    },
  );
});

describe("U03 names are labels, and go back as RFC 6266 wants them", () => {
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
    const { headers } = await admin.send("GET", body.resources[0]?.fileUrl ?? "");
    const exact = /^attachment; filename="[ !#-~]+"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(
      headers.get("content-disposition") ?? "",
    );
    expect(decodeURIComponent(exact?.[1] ?? "")).toBe(label);
  });
});

describe("U04 U05 sizes, bombs and cut-off files", () => {
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
    expect(await send([big, big, big, big, big, big])).toMatchObject({
      status: 413,
      body: { message: "The files together are larger than 5 MB." },
    });
    const small = { name: "small.pdf", content: samples.pdf };
    expect((await send(Array.from({ length: 11 }, () => small))).status).toBe(413);
    expect((await send(Array.from({ length: 10 }, () => small))).status).toBe(200);
  });

  test.each(resourceFormats.filter((format) => format !== "rar"))("half of a .%s is refused", async (format) => {
    const content = samples[format].subarray(0, samples[format].length / 2);
    expect((await send([{ name: `half.${format}`, content }])).status).toBe(415);
  });

  test("archives that would unpack to more than any disk, or out of their folder, are bytes like others", async () => {
    const bomb = zipOf({ "zeros.bin": "PK" });
    bomb.writeUInt32LE(0xffff_fff0, 22); // what it says it would become
    const slip = zipOf({ "../../../../tmp/academy-slipped.txt": "out", "/etc/cron.d/academy": "* * * * * root sh" });
    const nested = zipOf({ "1.zip": bomb, "2.zip": slip });
    for (const content of [bomb, slip, nested]) expect((await send([{ name: "a.zip", content }])).status).toBe(200);
    expect(await readdir(tmpdir())).not.toContain("academy-slipped.txt");
  });

  test("tables of contents that lie about where they are, are refused", async () => {
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

  test("a chain of directory sectors that goes round in a circle ends", async () => {
    const content = Buffer.from(samples.doc);
    content.writeUInt32LE(1, 512 + 4);
    content.fill(0, 1024);
    expect((await send([{ name: "circle.doc", content }])).status).toBe(415);
  });
});

describe("U12 forms that are none", () => {
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
    ["an empty boundary", whole, "multipart/form-data; boundary="],
    ["another boundary", whole, "multipart/form-data; boundary=other"],
    ["a boundary of 500 characters", whole, `multipart/form-data; boundary=${"b".repeat(500)}`],
    ["another type", whole, `multipart/mixed; boundary=${boundary}`],
    ["JSON", [Buffer.from("{}")], "application/json"],
    ["no type", whole, ""],
    ["text", whole, "text/plain"],
    ["an empty body", []],
    ["only the end", [end]],
    ["no end", whole.slice(0, -1)],
    ["cut off in a file", [Buffer.concat(whole).subarray(0, -60)]],
    ["cut off in a header", [Buffer.concat(whole).subarray(0, 300)]],
    ["cut off in a field", [Buffer.concat(whole).subarray(0, 70)]],
    ["a part without disposition", [part("Content-Type: text/plain", "x"), ...fields, end]],
    ["a part with an empty name", [...fields, file("", "a.pdf"), end]],
    ["a part without a name", [part("Content-Disposition: form-data", "x"), ...whole]],
    ["a file in another field", [...fields, file("moduleId", "a.pdf"), end]],
    ["a field where a file belongs", [...fields, field("files", "a.pdf"), end]],
    ["a field twice", [field("title", "First"), ...whole]],
    ["a field that does not belong", [field("id", "1"), ...whole]],
    ["a name that reaches for prototypes", [field("__proto__", "x"), ...whole]],
    ["constructor as a name", [field("constructor", "x"), ...whole]],
    ["a file called by a prototype's name", [...fields, file("toString", "a.pdf"), end]],
    ["10,000 fields", [...many(10_000, field("title", "x")), end]],
    ["10,000 empty parts", [...many(10_000, part("X: y", "")), end]],
    [
      "a thousand headers",
      [part(Array.from({ length: 1000 }, (_, at) => `X-${at}: y`).join("\r\n"), "x"), ...fields, end],
    ],
    ["a header of 100 kilobytes", [part(`X: ${"y".repeat(100_000)}`, "x"), ...fields, end]],
    ["a title of 100 kilobytes", [field("description", "x".repeat(100_000)), ...whole]],
    ["a title with a NUL", [field("description", "a\0b"), ...whole]],
    [
      "a title of 201 characters",
      [
        field("moduleId", "module-1"),
        field("title", "x".repeat(201)),
        field("requiredTier", "basic"),
        file("files", "a.pdf"),
        end,
      ],
    ],
    ["a line break in a file's name", [...fields, file("files", "a\r\nX: y.pdf"), end]],
    [
      "a quote that does not close",
      [...fields, part('Content-Disposition: form-data; name="files; filename=a.pdf', "x"), end],
    ],
    [
      "a form within a form",
      [...fields, part("Content-Type: multipart/mixed; boundary=in", "--in\r\n\r\nx\r\n--in--"), end],
    ],
    ["bare line feeds", [Buffer.from(Buffer.concat(whole).toString("latin1").replaceAll("\r\n", "\n"), "latin1")]],
    ["noise", [Buffer.alloc(100_000, 0xa5)]],
    ["boundaries without end", [Buffer.from(`--${boundary}\r\n`.repeat(50_000))]],
  ];
  test.each(forms)("%s", async (_name, parts, type = `multipart/form-data; boundary=${boundary}`) => {
    const response = await admin.send("POST", "/api/upload-resource", new Uint8Array(Buffer.concat(parts)), {
      "content-type": type || null,
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    await response.arrayBuffer();
  });

  test("and the same parts as a true form are stored", async () => {
    const response = await admin.send("POST", "/api/upload-resource", new Uint8Array(Buffer.concat(whole)), {
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    expect((await noted(response)).status).toBe(200);
  });

  test("names in bytes that are no UTF-8 become labels that are", async () => {
    const odd = Buffer.from(
      Buffer.concat([...fields, file("files", "\xff\xfe\xe4.pdf"), end]).toString("utf8"),
      "latin1",
    );
    const response = await admin.send("POST", "/api/upload-resource", new Uint8Array(odd), {
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    expect((await noted(response)).status).toBe(200);
  });
});

/** One request written by hand; resolves with what came back and how many bytes the academy took, when the connection ends. */
function converse(head: string, write: (send: (bytes: Buffer) => Promise<boolean>) => Promise<void>) {
  return new Promise<{ answer: string; taken: number }>((resolve) => {
    const { hostname, port } = new URL(academy.url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ answer, taken: socket.bytesWritten - socket.writableLength }));
    socket.write(head);
    const send = (bytes: Buffer) =>
      new Promise<boolean>((sent) => {
        if (socket.destroyed) return sent(false);
        socket.once("close", () => sent(false));
        socket.write(bytes, (error) => sent(!error));
      });
    write(send).then(() => undefined);
  });
}
const headOf = (visitor: Visitor, more: string) =>
  [
    "POST /api/upload-resource HTTP/1.1",
    `Host: ${new URL(academy.url).host}`,
    `Origin: ${academy.url}`,
    `Cookie: ${[...visitor.cookies].map(([name, { value }]) => `${name}=${value}`).join("; ")}`,
    "Content-Type: multipart/form-data; boundary=x0x",
    more,
    "",
    "",
  ].join("\r\n");
const opening = Buffer.from(
  '--x0x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-1.4\n',
);
const megabyte = Buffer.alloc(1024 * 1024, 0x20);

describe("U06 U08 U13 bodies that do not end, or not where they say", () => {
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

  test("two gigabytes that are announced as such are refused before they are read", async () => {
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
    // What the two kernels hold between them counts as sent.
    expect(taken).toBeLessThan(20 * megabyte.length);
  });

  test("A21 a form from another site is refused", async () => {
    const response = await admin.send(
      "POST",
      "/api/upload-resource",
      uploadForm([{ name: "a.pdf", content: samples.pdf }]),
      {
        origin: "https://elsewhere.example",
      },
    );
    expect(response.status).toBe(403);
  });

  test("connections that break off in the middle leave nothing", async () => {
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { hostname, port } = new URL(academy.url);
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        socket.write(headOf(admin, `Content-Length: ${megabyte.length}`));
        socket.write(opening);
        socket.write(megabyte.subarray(0, 500_000));
        await until(async () => (await readdir(join(dataDir, "files", "incoming"))).length > 0);
        socket.resetAndDestroy();
      }),
    );
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
