import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "#test/until.ts";
import { openUploadTarget, type UploadTarget } from "#test/uploads/upload-target.ts";
import { samples, uploadForm } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

let target: UploadTarget;
beforeAll(async () => {
  target = await openUploadTarget();
});
afterAll(() => target?.[Symbol.asyncDispose]());
// After each, the same process still responds, and no file is left.
afterEach(() => target.expectNothingLeft());

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
    const answer = await target.send(new Uint8Array(Buffer.concat(parts)), { "content-type": type || null });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.type).toContain("application/problem+json");
  });

  const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };

  test("the same parts as a correct form are stored", async () => {
    expect((await target.send(new Uint8Array(Buffer.concat(whole)), multipart)).status).toBe(200);
  });

  test("names that are not UTF-8 are converted", async () => {
    const form = Buffer.concat([...fields, file("files", "\xff\xfe\xe4.pdf"), end]).toString("utf8");
    expect((await target.send(new Uint8Array(Buffer.from(form, "latin1")), multipart)).status).toBe(200);
  });
});

/**
 * Sends a raw request. Resolves, when the connection ends, to the reply and the number of bytes that the academy
 * read.
 */
function converse(head: string, write: (send: (bytes: Buffer) => Promise<boolean>) => Promise<void>) {
  return new Promise<{ answer: string; taken: number }>((resolve) => {
    const { hostname, port } = new URL(target.academy.url);
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
        const end = () => sent(false);
        socket.once("close", end);
        socket.write(bytes, (error) => {
          socket.off("close", end);
          sent(!error);
        });
      });
    write(send).then(() => undefined);
  });
}
const headOf = (visitor: Visitor, more: string) =>
  [
    "POST /api/upload-resource HTTP/1.1",
    `Host: ${new URL(target.academy.url).host}`,
    `Origin: ${target.academy.url}`,
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

describe("bodies that do not end, or not where they say [U06 U08 U13]", () => {
  test("a body without end is cut off soon after the limit", async () => {
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
    const { answer, taken } = await converse(headOf(target.admin, "Transfer-Encoding: chunked"), async (send) => {
      await send(chunk(opening));
      for (let sent = 0; sent < 2000 && (await send(chunk(megabyte))); sent++);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(taken).toBeLessThan(40 * megabyte.length);
  });

  test("a body announced as two gigabytes is refused unread", async () => {
    const { answer, taken } = await converse(headOf(target.admin, `Content-Length: ${2 ** 31}`), async (send) => {
      await send(opening);
      for (let sent = 0; sent < 2000 && (await send(megabyte)); sent++);
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(taken).toBeLessThan(20 * megabyte.length);
  });

  test.each(["visitor", "vip@academy.test"])("a gigabyte from %s is refused without being read", async (who) => {
    const visitor = target.academy.visitor();
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
    const response = await target.admin.send(
      "POST",
      "/api/upload-resource",
      uploadForm([{ name: "a.pdf", content: samples.pdf }]),
      {
        origin: "https://elsewhere.example",
      },
    );
    expect(response.status).toBe(403);
  });

  test("aborted uploads leave nothing behind", async () => {
    const { hostname, port } = new URL(target.academy.url);
    const sockets = Array.from({ length: 40 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      socket.write(headOf(target.admin, `Content-Length: ${megabyte.length}`));
      socket.write(opening);
      socket.write(megabyte.subarray(0, 500_000));
      return socket;
    });
    await until(async () => (await target.incoming()).length > 0);
    for (const socket of sockets) socket.resetAndDestroy();
  });

  test("a length that is shorter than the form is a broken form", async () => {
    const { answer } = await converse(
      headOf(target.admin, `Content-Length: ${opening.length + 100}\r\nConnection: close`),
      async (send) => {
        await send(opening);
        await send(megabyte.subarray(0, 100));
      },
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });
});
