import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { getUserDetail } from "#contract/admin/users.ts";
import { deleteResource, type Resource } from "#contract/resources.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import { samples, upload } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const student = await academy.visitor().signInAsDemo("basic@academy.test");

const store = async (content: Buffer<ArrayBuffer>, fields?: Record<string, string>): Promise<Resource> => {
  const [resource] = await upload(admin, [{ name: "Größe.pdf", content }], fields);
  if (!resource) throw new Error("nothing was stored");
  return resource;
};
const countOf = async ({ id }: Resource) => {
  const all = (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
  return all.find((resource) => resource.id === id)?.downloadCount;
};
const pdfOf = (size: number) => Buffer.concat([samples.pdf, randomBytes(size), Buffer.from("\n%%EOF\n")]);

test("a file is sent as a download with its type, which no browser runs [U17]", async () => {
  const resource = await store(samples.pdf);
  const response = await student.send("GET", resource.fileUrl ?? "");
  await response.arrayBuffer();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(samples.pdf.length),
    "content-disposition": `attachment; filename="Gr??e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "accept-ranges": "bytes",
  });
});

test("ranges are sent, and do not count as downloads", async () => {
  const content = pdfOf(50_000);
  const size = content.length;
  const resource = await store(content);
  const ask = async (range: string, more: Record<string, string> = {}) => {
    const response = await student.send("GET", resource.fileUrl ?? "", undefined, { range, ...more });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, range: response.headers.get("content-range"), bytes, headers: response.headers };
  };
  for (const [range, first, last] of [
    ["bytes=0-99", 0, 99],
    ["bytes=40000-", 40_000, size - 1],
    ["bytes=-10", size - 10, size - 1],
  ] as const) {
    const part = await ask(range);
    expect(part).toMatchObject({ status: 206, range: `bytes ${first}-${last}/${size}` });
    expect(part.bytes.equals(content.subarray(first, last + 1)), range).toBe(true);
  }
  expect(await ask(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` });
  const etag = (await ask("bytes=0-0")).headers.get("etag") ?? "";
  expect((await ask("bytes=0-9", { "if-range": etag })).status).toBe(206);
  const head = await student.send("HEAD", resource.fileUrl ?? "");
  expect(head.headers.get("content-length")).toBe(String(size));
  expect(await countOf(resource)).toBe(0);
  // The file that the part was asked of has changed: the whole one is sent.
  expect((await ask("bytes=0-9", { "if-range": '"another"' })).status).toBe(200);
});

test("each of concurrent downloads counts; refusals, parts and HEAD requests do not [U20]", async () => {
  const resource = await store(samples.pdf, { requiredTier: "basic" });
  const stranger = await academy.visitor().signUp();
  const path = resource.fileUrl ?? "";
  const status = async (visitor: Visitor, method = "GET", headers: Record<string, string> = {}) => {
    const response = await visitor.send(method, path, undefined, headers);
    await response.arrayBuffer();
    return response.status;
  };
  // A crowd no larger than the academy lets wait for a connection to the database; others it asks to come back.
  for (let crowd = 0; crowd < 2; crowd++) {
    const downloads = Array.from({ length: 50 }, () => status(student));
    const others = [
      status(stranger),
      status(academy.visitor()),
      status(student, "GET", { range: "bytes=0-9" }),
      status(student, "HEAD"),
    ];
    expect(new Set(await Promise.all(downloads))).toEqual(new Set([200]));
    expect(await Promise.all(others)).toEqual([403, 401, 206, 200]);
  }
  expect(await countOf(resource)).toBe(100);
  const id = await student.id();
  const { downloads } = (await admin.call(getUserDetail, { params: { userId: id } })).body;
  expect(downloads.filter(({ resourceId }) => resourceId === resource.id)).toHaveLength(1);
});

test("a download finishes although the resource is deleted meanwhile [U19]", async () => {
  const content = pdfOf(12_000_000);
  const resource = await store(content);
  const cookie = [...student.cookies].map(([name, { value }]) => `${name}=${value}`).join("; ");
  const request = get(`${academy.url}${resource.fileUrl}`, { headers: { cookie } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  // Nobody reads yet: most of the file is not sent yet.
  expect((await admin.call(deleteResource, { params: { id: resource.id } })).status).toBe(200);
  expect((await student.send("GET", resource.fileUrl ?? "")).status).toBe(404);
  expect((await buffer(response)).equals(content)).toBe(true);
});

test("aborted downloads leave nothing behind [U08]", async () => {
  const resource = await store(pdfOf(5_000_000));
  for (let round = 0; round < 5; round++) {
    const request = get(`${academy.url}${resource.fileUrl}`, { headers: { cookie: student.cookieHeader } });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.destroy();
  }
  expect((await student.send("GET", resource.fileUrl ?? "", undefined, { range: "bytes=0-3" })).status).toBe(206);
  expect(academy.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test("a download that cannot be recorded leaves no file open", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const resource = await store(pdfOf(1_000_000));
  // As on a full disk: what is there is read, and nothing is written.
  await academy.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
    create trigger refuse before update on course_resources execute function refuse()`);
  for (let times = 0; times < 5; times++) {
    expect((await student.send("GET", resource.fileUrl ?? "")).status).toBe(503);
  }
  await until(async () => openFiles().length === 0);
  // Node closes what nobody has closed, some time, and in a release to come it ends the process.
  expect(warnings.filter((message) => message.includes("garbage collection"))).toEqual([]);
  await academy.pool.query("drop function refuse cascade");
  const answer = await student.send("GET", resource.fileUrl ?? "");
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, resource.fileSize]);
});

/** Of this process, which is the academy's. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes("/files/resources/") ? [path] : [];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}
