import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { profileImageLimit, profileImageTooLarge, removeProfileImage, uploadProfileImage } from "#contract/profile.ts";
import { type Academy, openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

/** `profile-image.long.test.ts` has more hostile pictures, and measures the memory of a process. */
const isLong = process.env.HOSTILE_PICTURES === "all";
const academy = await forFile<RunningAcademy>(isLong ? openAcademy() : openAcademyInProcess());

interface Answer {
  readonly status: number;
  readonly profileImageUrl?: string;
  readonly code?: string;
  readonly message?: string;
}

async function upload(person: Visitor, content: Uint8Array, name = "me.jpg", field = "profileImage"): Promise<Answer> {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(content)], { type: "image/jpeg" }), name);
  const response = await person.send("POST", uploadProfileImage.path, form);
  return { status: response.status, ...((await response.json()) as object) };
}

async function download(person: Visitor, url: string): Promise<Buffer> {
  const response = await person.send("GET", url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const files = async () => (await readdir(join(academy.dataDir, "files"), { recursive: true })).filter(isFile);
const isFile = (path: string) => path.includes("/");

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c81e1e" }, limitInputPixels: false });

/** A black and white PNG. Its header may claim more pixels than it has. */
function png(width: number, height: number, rows = Buffer.alloc(0)): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("a picture of any common format becomes a square WebP at an address of its own", async () => {
  const person = await academy.visitor().signUp();
  const formats = ["jpeg", "avif", "tiff", ...(isLong ? (["png", "webp", "gif"] as const) : [])] as const;
  for (const format of formats) {
    const answer = await upload(person, await drawn(64, 48).toFormat(format).toBuffer(), `me.${format}`);
    expect(answer.status, format).toBe(200);
    expect((await person.call(getCurrentUser)).body.profileImageUrl).toBe(answer.profileImageUrl);
    const kept = await sharp(await download(person, answer.profileImageUrl ?? "")).metadata();
    expect(kept).toMatchObject({ format: "webp", width: 512, height: 512 });
  }
});

test("a picture is served to its owner and administrators only, inert and privately cached [U17]", async () => {
  const person = await academy.visitor().signUp();
  const { profileImageUrl = "" } = await upload(person, await drawn(20, 20).png().toBuffer());
  const { headers } = await person.send("GET", profileImageUrl);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "image/webp",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "content-disposition": "inline",
    "cache-control": "private, max-age=31536000, immutable",
  });
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  expect((await administrator.send("GET", profileImageUrl)).status).toBe(200);
  const stranger = await academy.visitor().signUp();
  expect((await stranger.send("GET", profileImageUrl)).status).toBe(404);
  expect((await academy.visitor().send("GET", profileImageUrl)).status).toBe(401);
});

test("no name reaches another file [U18]", async () => {
  const person = await academy.visitor().signUp();
  for (const name of ["..%2f..%2fpackage.json", "%2e%2e", "..%5c..", "a%00", "none", "%252e%252e%252f"]) {
    expect([400, 404], name).toContain((await person.send("GET", `/api/profile-images/${name}`)).status);
  }
});

test("metadata is removed and the orientation applied [U16]", async () => {
  const person = await academy.visitor().signUp();
  const halves = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#ffffff" } })
    .composite([
      { input: { create: { width: 200, height: 100, channels: 3, background: "#000000" } }, left: 0, top: 0 },
    ])
    .withExif({ IFD0: { Copyright: "Elm Street 7" }, IFD3: { GPSLatitude: "52/1 30/1 0/1", GPSLatitudeRef: "N" } })
    .withMetadata({ orientation: 3 })
    .jpeg()
    .toBuffer();
  const { profileImageUrl = "" } = await upload(person, halves);
  const kept = await download(person, profileImageUrl);
  expect(await sharp(kept).metadata()).not.toHaveProperty("exif");
  for (const trace of ["Exif", "GPS", "Elm Street", "XMP"]) expect(kept.includes(trace), trace).toBe(false);
  const { data } = await sharp(kept).greyscale().raw().toBuffer({ resolveWithObject: true });
  // Turned upside down: the black half is at the bottom.
  expect(data[512 * 20 + 256]).toBeGreaterThan(200);
  expect(data[512 * 490 + 256]).toBeLessThan(50);
});

test("the file of a replaced or removed picture is deleted", async () => {
  const person = await academy.visitor().signUp();
  const picture = await drawn(30, 30).png().toBuffer();
  const before = new Set(await files());
  const added = async () => (await files()).filter((file) => !before.has(file));
  const first = await upload(person, picture);
  const [ofFirst = "none"] = await added();
  const second = await upload(person, picture);
  expect(second.profileImageUrl).not.toBe(first.profileImageUrl);
  await until(async () => !(await added()).includes(ofFirst));
  expect(await added()).toHaveLength(1);
  expect((await person.send("GET", first.profileImageUrl ?? "")).status).toBe(404);
  expect(await person.call(removeProfileImage)).toMatchObject({ status: 200, body: { profileImageUrl: null } });
  expect((await person.call(removeProfileImage)).status).toBe(200);
  expect((await person.call(getCurrentUser)).body.profileImageUrl).toBeNull();
  await until(async () => (await added()).length === 0);
});

test("a picture is smaller than 5 MB, to the byte [U05]", async () => {
  const person = await academy.visitor().signUp();
  const picture = await drawn(30, 30).png().toBuffer();
  const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
  expect((await upload(person, padded(profileImageLimit - 1))).status).toBe(200);
  for (const size of [profileImageLimit, profileImageLimit + 1]) {
    expect(await upload(person, padded(size))).toMatchObject({ status: 413, message: profileImageTooLarge });
  }
});

test("a form without a picture, and one of another site, is refused with a sentence [U12]", async () => {
  const person = await academy.visitor().signUp();
  // `hostile-uploads.integration.test.ts` has malformed forms, which the same code reads.
  expect(await upload(person, await drawn(9, 9).png().toBuffer(), "me.png", "other")).toMatchObject({ status: 400 });
  const foreign = await person.send("POST", uploadProfileImage.path, new FormData(), {
    origin: "https://evil.example",
  });
  expect(foreign.status).toBe(403);
});

/**
 * Hostile images. `harmless` ones may be accepted, because the stored picture is made anew from their pixels. The long
 * run has all: each is decoded by a process of its own, and `decode.test.ts` has the causes of refusals.
 */
async function hostileImages(): Promise<(readonly [name: string, content: Buffer, harmless?: boolean])[]> {
  const jpeg = await drawn(800, 600).jpeg().toBuffer();
  const [small, gif] = [await drawn(64, 64).png().toBuffer(), await drawn(64, 64).gif().toBuffer()];
  const script = Buffer.from("<script>alert(1)</script>");
  const svg = (inner: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`);
  const few = [
    ["html with a PNG's first bytes", Buffer.concat([small.subarray(0, 8), script])],
    ["svg with script", svg("<script>alert(1)</script>"), true],
    ["14,000 x 14,000 flat", png(14_000, 14_000, Buffer.alloc(1751 * 14_000))],
    ["jpeg with html behind it", Buffer.concat([jpeg, script]), true],
    ["png cut in the middle", small.subarray(0, small.length / 2)],
    ["pdf", Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>")],
  ] as const;
  if (!isLong) return [...few];
  const frame = gif.subarray(gif.indexOf(0x21, 13) < 0 ? 13 : gif.indexOf(0x2c, 13), gif.length - 1);
  const manyFrames = Buffer.concat([
    gif.subarray(0, -1),
    ...Array.from({ length: 5000 }, () => frame),
    Buffer.from(";"),
  ]);
  const hugeGif = Buffer.from(gif);
  for (const at of [6, 8]) hugeGif.writeUInt16LE(65_535, at);
  const entities = [..."bcdefghij"].map((name, at) => `<!ENTITY ${name} "${`&${"abcdefghi"[at]};`.repeat(10)}">`);
  const laughs = `<!DOCTYPE s [<!ENTITY a "${"a".repeat(40)}">${entities.join("")}]>`;
  return [
    ...few,
    ["nothing", Buffer.alloc(0)],
    ["noise", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))],
    [
      "svg of entities that multiply",
      Buffer.from(`${laughs}<svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`),
    ],
    ["svg of groups without an end", svg("<g>".repeat(100_000))],
    ["bmp", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)])],
    ["heic cut after its head", Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic0000mif1heic")])],
    ["csv that libvips reads as a matrix", Buffer.from("2 2\n1 2\n3 4\n")],
    ["2^31 x 1 in the header", png(0x7fff_ffff, 1)],
    ["0 x 0 in the header", png(0, 0)],
    ["200 x 200 without its rows", png(200, 200)],
    ["200 x 200 with a thousand times its rows", png(200, 200, Buffer.alloc(5_200_000)), true],
    [
      "5,000 x 5,000 progressive jpeg",
      await drawn(5000, 5000).jpeg({ progressive: true, quality: 10 }).toBuffer(),
      true,
    ],
    ["gif on a canvas of 65,535 x 65,535", hugeGif, true],
    ["gif with 5,000 frames", manyFrames, true],
    ["avif cut in the middle", (await drawn(300, 300).avif({ effort: 0 }).toBuffer()).subarray(0, 300)],
    [
      "jpeg with html in its comment",
      await drawn(60, 60)
        .withExif({ IFD0: { ImageDescription: script.toString() } })
        .jpeg()
        .toBuffer(),
      true,
    ],
    ["a line of 16,000 pixels", await drawn(16_000, 1).png().toBuffer(), true],
    ["a single pixel", await drawn(1, 1).png().toBuffer(), true],
  ];
}

test("hostile pictures are refused or harmless, and leave no file behind [U14 U15]", async () => {
  const person = await academy.visitor().signUp();
  const images = await hostileImages();
  await upload(person, await drawn(100, 100).png().toBuffer());
  const before = { files: (await files()).length, memory: isLong ? await peakMemory() : 0 };
  for (const [at, [name, content, harmless = false]] of images.entries()) {
    const answer = await upload(person, content, at % 2 ? "me.png" : "me.html.jpg");
    if (!harmless) expect(answer, name).toMatchObject({ status: 422, code: "unreadable-image" });
    expect([200, 422], name).toContain(answer.status);
    if (answer.status === 422) continue;
    const kept = await download(person, answer.profileImageUrl ?? "");
    expect(kept.includes("script"), name).toBe(false);
    expect(await sharp(kept).metadata(), name).toMatchObject({ format: "webp", width: 512, height: 512 });
  }
  await until(async () => (await files()).length === before.files);
  if (isLong) expect((await peakMemory()) - before.memory).toBeLessThan(150);
  expect(academy.log.join("\n")).not.toMatch(/"status":5\d\d/);
});

test("uploads of pictures are limited by hour", async () => {
  const person = await academy.visitor().signUp();
  const send = () => upload(person, Buffer.from("none"), "me.jpg", "other");
  await send();
  await academy.pool.query("update limits set uses = 29 where key = $1", [`profile-image ${await person.id()}`]);
  expect((await send()).status).toBe(400);
  expect(await send()).toMatchObject({ status: 429, code: "too-many-requests" });
  await academy.advance("61m");
  expect((await upload(person, await drawn(9, 9).png().toBuffer())).status).toBe(200);
});

/** The peak memory of the academy's process, in megabytes. */
async function peakMemory(): Promise<number> {
  const { pid } = academy as Academy;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000;
}
