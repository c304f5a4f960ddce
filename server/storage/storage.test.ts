import { hash, randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listening } from "#test/listening.ts";
import { openObjectStore } from "#test/stand-ins/object-store.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { diskStorage } from "./disk.ts";
import { clearIncoming } from "./incoming.ts";
import { receive } from "./receive.ts";
import { s3Storage } from "./s3.ts";
import type { Storage } from "./storage.ts";
import { storageRefusal } from "./storage-refusal.ts";

const directory = folderOfFile();
const objectStore = await openObjectStore();
afterAll(() => objectStore[Symbol.asyncDispose]());

const newKey = (folder = "resources") => `${folder}/${randomBytes(10).toString("hex")}`;

describe.each([
  ["disk", () => diskStorage(join(directory, "files"))],
  ["an S3-compatible store", () => s3Storage(objectStore, join(directory, "s3-incoming"))],
] as const)("files on %s", (_name, open) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await open();
  });
  const contentOf = async (key: string, range?: { first: number; last: number }) => {
    const found = await storage.read(key, range);
    return found && { hex: (await buffer(found.stream)).toString("hex"), size: found.size };
  };

  test("stored bytes are read back, whole and by range, and replaced by the same key", async () => {
    const key = newKey();
    const bytes = randomBytes(100_000);
    await storage.put(key, bytes);
    const size = 100_000;
    expect(await contentOf(key)).toEqual({ hex: bytes.toString("hex"), size });
    expect(await contentOf(key, { first: 0, last: 9 })).toEqual({ hex: bytes.toString("hex", 0, 10), size });
    expect(await contentOf(key, { first: 99_990, last: 99_999 })).toEqual({ hex: bytes.toString("hex", 99_990), size });
    await storage.put(key, Buffer.from("second"));
    expect((await contentOf(key))?.hex).toBe(Buffer.from("second").toString("hex"));
  });

  test("a received file is moved into the store with the size and the hash of what came in", async () => {
    const key = newKey();
    const bytes = randomBytes(3_000_000);
    const chunks = Array.from({ length: 30 }, (_, at) => bytes.subarray(at * 100_000, (at + 1) * 100_000));
    const file = await receive(storage, Readable.from(chunks), bytes.length);
    expect(file).toMatchObject({ size: bytes.length, sha256: hash("sha256", bytes) });
    if (file) await storage.put(key, file);
    expect((await contentOf(key))?.hex === bytes.toString("hex")).toBe(true);
    expect(await readdir(storage.incoming)).toEqual([]);
  });

  test("what was deleted or never was there is not found, and deleting it again is no error", async () => {
    const key = newKey();
    await storage.put(key, Buffer.from("x"));
    await storage.delete(key);
    expect(await storage.read(key)).toBeNull();
    await storage.delete(key);
    expect(await storage.read(newKey())).toBeNull();
  });

  test("a moved file is under its new key alone, and moving what is not there changes nothing", async () => {
    const [from, to] = [newKey(), newKey("trash")];
    const bytes = randomBytes(1000);
    await storage.put(from, bytes);
    await storage.move(from, to);
    expect(await storage.read(from)).toBeNull();
    expect((await contentOf(to))?.hex).toBe(bytes.toString("hex"));
    await storage.move(from, to);
    expect((await contentOf(to))?.hex).toBe(bytes.toString("hex"));
  });

  test("a reader finishes although the file is deleted meanwhile [U19]", async () => {
    const key = newKey();
    const bytes = randomBytes(2_000_000);
    await storage.put(key, bytes);
    const reading = await storage.read(key);
    await storage.delete(key);
    expect(reading && (await buffer(reading.stream)).equals(bytes)).toBe(true);
  });

  test("a folder lists its own files, each with size and age, and an absent one is empty", async () => {
    const keys = [newKey("listed"), newKey("listed"), newKey("listed")];
    for (const key of keys) await storage.put(key, Buffer.from("12345"));
    const before = Date.now();
    const found = await all(storage.list("listed"));
    expect(found.map(({ key }) => key).sort()).toEqual(keys.sort());
    for (const { size, storedAt } of found) {
      expect(size).toBe(5);
      expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(60_000);
    }
    expect(await all(storage.list("nothing"))).toEqual([]);
  });

  test("what is longer than its limit, or breaks off, leaves nothing behind [U06]", async () => {
    const chunks = [Buffer.alloc(1000), Buffer.alloc(1000)];
    expect(await receive(storage, Readable.from(chunks), 1999)).toBeNull();
    async function* broken() {
      yield Buffer.alloc(1000);
      throw new Error("gone");
    }
    await expect(receive(storage, broken(), 5000)).rejects.toThrow("gone");
    expect(await readdir(storage.incoming)).toEqual([]);
  });

  test("an invalid key is an error and never a path", async () => {
    for (const key of ["../secrets/session", "resources/../../x", "resources", "resources/a b", "/etc/passwd"]) {
      await expect(storage.put(key, Buffer.from("x"))).rejects.toThrow("not a storage key");
      await expect(storage.read(key)).rejects.toThrow("not a storage key");
    }
  });
});

test("leftovers in incoming are removed once the store is known to be ours", async () => {
  const files = join(directory, "restarted");
  await mkdir(join(files, "incoming"), { recursive: true });
  await writeFile(join(files, "incoming", "left-behind"), "x");
  const storage = await diskStorage(files);
  expect(await readdir(storage.incoming)).toEqual(["left-behind"]);
  await clearIncoming(storage.incoming);
  expect(await readdir(storage.incoming)).toEqual([]);
});

test.runIf(process.platform === "linux")("a full disk is told as what it is [U11]", async () => {
  // The kernel's own full disk.
  const error = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  expect(storageRefusal(error)).toMatchObject({ code: "storage-full" });
});

test("a store that cannot be reached refuses for now", async () => {
  const away = await s3Storage({ ...objectStore, endpoint: "http://127.0.0.1:9" }, join(directory, "away"));
  await expect(away.put(newKey(), Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(away.read(newKey())).rejects.toMatchObject({ code: "unavailable" });
  const elsewhere = await s3Storage({ ...objectStore, bucket: "no-such-bucket" }, join(directory, "elsewhere"));
  await expect(elsewhere.put(newKey(), Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
});

test("a copy that fails after its status line leaves the file in its place", async () => {
  const asked: (string | undefined)[] = [];
  await using store = await scriptedStore((request) => {
    asked.push(request.method);
    return "<Error><Code>InternalError</Code><Message>half way</Message></Error>";
  });
  const storage = await s3Storage(store, join(directory, "half-way"));
  await expect(storage.move(newKey(), newKey("trash"))).rejects.toMatchObject({ code: "unavailable" });
  expect(new Set(asked)).toEqual(new Set(["PUT"]));
});

test("a file that is too large for one copy is read and stored to be moved", async () => {
  const asked: string[] = [];
  await using store = await scriptedStore(({ method, url = "", headers }) => {
    const isCopy = "x-amz-copy-source" in headers;
    asked.push(`${isCopy ? "copy" : method} ${url.split("/")[2]}`);
    if (isCopy) return "<Error><Code>EntityTooLarge</Code><Message>more than 5 GB</Message></Error>";
    return method === "GET" ? "content" : "";
  });
  const storage = await s3Storage(store, join(directory, "too-large"));
  await storage.move(newKey("videos"), newKey("trash"));
  expect([...new Set(asked)]).toEqual(["copy trash", "GET videos", "PUT trash", "DELETE videos"]);
  expect(await readdir(storage.incoming)).toEqual([]);
});

test("a large file is uploaded in parts, and a failure leaves none of them", async () => {
  const key = newKey("videos");
  const bytes = randomBytes(12_000_000);
  const large = async (storage: Storage) => {
    const file = await receive(storage, Readable.from([bytes]), bytes.length);
    if (file) await storage.put(key, file);
  };
  const storage = await s3Storage(objectStore, join(directory, "parts"), 5_000_000);
  await large(storage);
  const stored = await storage.read(key);
  expect(stored && (await buffer(stored.stream)).equals(bytes)).toBe(true);
  expect(await readdir(storage.incoming)).toEqual([]);

  const asked: string[] = [];
  await using broken = await scriptedStore(({ method, url = "" }) => {
    asked.push(`${method} ${[...new URL(url, "http://store").searchParams.keys()].filter((one) => one !== "x-id")}`);
    if (method === "POST" && url.includes("uploads")) return "<Result><UploadId>one</UploadId></Result>";
    return "<Error><Code>InternalError</Code><Message>half way</Message></Error>";
  });
  const failing = await s3Storage(broken, join(directory, "broken-parts"), 5_000_000);
  await expect(large(failing)).rejects.toMatchObject({ code: "unavailable" });
  expect([asked[0], asked.at(-1)]).toEqual(["POST uploads", "DELETE uploadId"]);
  expect(await readdir(failing.incoming)).toEqual([]);
});

test("only parts that were left a day ago are dropped", async () => {
  const dropped: (string | null)[] = [];
  await using store = await scriptedStore(({ method, url = "" }) => {
    const query = new URL(url, "http://store").searchParams;
    if (method === "DELETE") dropped.push(query.get("uploadId"));
    const upload = (id: string, at: string) =>
      `<Upload><Key>videos/a</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`;
    const isFirst = !query.has("key-marker");
    const more = "<NextKeyMarker>videos/a</NextKeyMarker><NextUploadIdMarker>old</NextUploadIdMarker>";
    return `<ListMultipartUploadsResult><IsTruncated>${isFirst}</IsTruncated>${isFirst ? more : ""}
      ${isFirst ? upload("old", "2026-01-01T00:00:00.000Z") : upload("new", "2026-01-03T00:00:00.000Z")}
    </ListMultipartUploadsResult>`;
  });
  const storage = await s3Storage(store, join(directory, "leftovers"));
  await storage.dropUnfinished("videos", new Date("2026-01-02T00:00:00Z"));
  expect(dropped).toEqual(["old"]);
});

test("a folder of many pages is listed to its end", async () => {
  const keys = [newKey("listed"), newKey("listed")];
  const tokens: (string | null)[] = [];
  await using store = await scriptedStore(({ url = "" }) => {
    const token = new URL(url, "http://store").searchParams.get("continuation-token");
    tokens.push(token);
    const contents = `<Contents><Key>${keys[token ? 1 : 0]}</Key><Size>5</Size><LastModified>2026-11-21T10:00:00.000Z</LastModified></Contents>`;
    const more = token ? "" : "<NextContinuationToken>1&amp;a+b=</NextContinuationToken>";
    return `<ListBucketResult><IsTruncated>${!token}</IsTruncated>${more}${contents}</ListBucketResult>`;
  });
  const found = await all((await s3Storage(store, join(directory, "many-pages"))).list("listed"));
  expect(found).toEqual(keys.map((key) => ({ key, size: 5, storedAt: new Date("2026-11-21T10:00:00Z") })));
  expect(tokens).toEqual([null, "1&a+b="]);
});

test("a store that sends another range than requested is an error", async () => {
  await using store = await scriptedStore(() => "the whole file");
  const storage = await s3Storage(store, join(directory, "whole"));
  await expect(storage.read(newKey(), { first: 3, last: 5 })).rejects.toMatchObject({ code: "unavailable" });
});

/** A store that answers everything with 200 and these words. */
async function scriptedStore(answer: (request: IncomingMessage) => string) {
  const server = createServer((request, response) => {
    request.resume();
    response.end(answer(request));
  });
  const port = await listening(server);
  return {
    ...objectStore,
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
