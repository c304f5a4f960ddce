import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "#test/listening.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { decodeImage } from "./decode.ts";
import type { Format, Limits } from "./run-decoder.ts";

const directory = folderOfFile();

async function decode(content: Buffer | string, { formats, ...limits }: Partial<Limits> & { formats?: Format[] } = {}) {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, content);
  const wanted = { longestSide: 512, instead: "another", ...(formats && { formats }) };
  const { data, info } = await decodeImage(path, wanted, { cpuSeconds: 10, megabytes: 450, ...limits });
  const pixels = Array.from({ length: info.width * info.height }, (_, at) =>
    data.subarray(at * info.channels, (at + 1) * info.channels),
  );
  /** Of a place between 0 and 1. */
  const at = (x: number, y: number) => [
    ...(pixels[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)] ?? []),
  ];
  return { ...info, at, hasRed: pixels.some(isRed) };
}

const isRed = ([red = 0, green = 0, blue = 0]: Iterable<number>) => red > 100 && green < 100 && blue < 100;

const refusal = (...args: Parameters<typeof decode>) =>
  decode(...args).then(
    () => "decoded",
    (error: Error) => error.message,
  );

const drawn = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: "#c81e1e" } });

const svg = (inner: string, start = "", attributes = 'width="24" height="24"') =>
  `${start}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;
const circle = '<rect width="24" height="24" fill="#0f0"/><circle cx="12" cy="12" r="6" fill="#00f"/>';

/**
 * Ours, by heif-enc of libheif 1.15, with an `irot` box inserted: 64 x 48 pixels as a grid of one tile, blue in the upper
 * third and red below, turned left by 90 degrees.
 */
const turnedHeic = Buffer.from(
  `AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAbRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAAC
   AAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHYAAEAAAAAAAAAJwACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIA
   AAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADfaXBycAAAALxpcGNvAAAAc2h2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAP
   AyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACdCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprmwIAAAAwAgAAADACEiAAEABkQBwXPAiQAA
   ABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgIAAAACWlyb3QBAAAAG2lwbWEAAAAAAAAAAgABAoECAAID
   A4SFAAAAGmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAvbWRhdAAAACMoAa9Y+ROSX//hzuR8o8/896z7c/JiR/iKBP03/RtUo9wq8A==`,
  "base64",
);

test("a HEIC picture is decoded as it is turned", async () => {
  const { width, height, channels, at } = await decode(turnedHeic);
  expect({ width, height, channels }).toEqual({ width: 48, height: 64, channels: 3 });
  expect(isRed(at(0.1, 0.5))).toBe(false);
  expect(isRed(at(0.9, 0.5))).toBe(true);
});

test.each([
  ["with its size", svg(circle)],
  ["with a view box alone", svg(circle, "", 'viewBox="0 0 24 24"')],
  ["in millimetres", svg(circle, "", 'viewBox="0 0 24 24" width="80mm" height="80mm"')],
  ["compressed", gzipSync(svg(circle))],
  [
    "after a comment, a byte order mark and a document type",
    svg(
      circle,
      `\uFEFF<?xml version="1.0"?><!-- ${"x".repeat(2000)} --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`,
    ),
  ],
])("an SVG drawing %s is drawn sharply in the wanted size", async (_, content) => {
  const { width, height, at } = await decode(content);
  expect({ width, height }).toEqual({ width: 512, height: 512 });
  expect(at(0.5, 0.5)).toEqual([0, 0, 255, 255]);
  // Both sides of the circle's edge, which would be blurred in an enlarged picture of 24 pixels.
  expect(at(0.246, 0.5)).toEqual([0, 255, 0, 255]);
  expect(at(0.254, 0.5)).toEqual([0, 0, 255, 255]);
});

test("an SVG drawing reads no file and asks no server [U23]", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${await listening(server)}`;
  const png = await drawn(24).png().toBuffer();
  await writeFile(join(directory, "red.png"), png);
  await writeFile(join(directory, "red.svg"), svg('<rect id="a" width="24" height="24" fill="#c81e1e"/>'));
  await writeFile(join(directory, "red.css"), "rect { fill: #c81e1e }");

  const image = (href: string) => svg(`<image width="24" height="24" href="${href}"/>`);
  const inside = (type: string, content: string | Buffer) =>
    `data:${type};base64,${Buffer.from(content).toString("base64")}`;
  const everyReference = (base: string) =>
    svg(
      `<style>@import url("${base}red.css");</style>
      <rect width="3" height="24" fill="#00f"/>
      <image x="3" width="3" height="24" href="${base}red.png"/>
      <image x="6" width="3" height="24" xlink:href="${base}red.svg"/>
      <image x="9" width="3" height="24" href="${inside("image/svg+xml", image(`${base}red.png`))}"/>
      <filter id="f"><feImage href="${base}red.png"/></filter><rect x="12" width="3" height="24" filter="url(#f)"/>
      <rect x="15" width="3" height="24" fill="url(${base}red.svg#a)"/>
      <g transform="translate(18)"><use href="${base}red.svg#a"/></g>
      <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${base}red.svg"/>`,
      `<?xml version="1.0"?><?xml-stylesheet href="${base}red.css" type="text/css"?>`,
    );
  const entity = (base: string) => svg("&x;", `<!DOCTYPE svg [<!ENTITY x SYSTEM "${base}red.svg">]>`);
  const declarations = (base: string) => svg("", `<!DOCTYPE svg [<!ENTITY % x SYSTEM "${base}red.svg"> %x;]>`);

  // A picture inside of the drawing is drawn, so the test would see one from outside.
  expect((await decode(image(inside("image/png", png)))).hasRed).toBe(true);
  for (const base of [pathToFileURL(`${directory}/`).href, `${directory}/`, "", `${origin}/`]) {
    expect(await decode(everyReference(base)), base).toMatchObject({ width: 512, hasRed: false });
    for (const drawing of [entity(base), declarations(base)]) {
      const hasRed = await decode(drawing).then(
        (picture) => picture.hasRed,
        () => false,
      );
      expect(hasRed, drawing).toBe(false);
    }
  }
  expect(asked).toEqual([]);
});

/** Of 24 bits, without its pixels. */
function headOfBmp(side: number): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeUInt32LE(side, 18);
  head.writeUInt32LE(side, 22);
  head.writeUInt16LE(24, 28);
  return head;
}

test("each refusal names its cause [U14]", async () => {
  const tooManyPixels = "This image has too many pixels. Please choose a smaller one.";
  const jpeg = await drawn(300).jpeg().toBuffer();
  const slow = `<filter id="f">${'<feMorphology radius="90"/>'.repeat(60)}</filter><rect width="24" height="24" filter="url(#f)"/>`;
  expect({
    text: await refusal("hello"),
    "a cut JPEG": await refusal(jpeg.subarray(0, jpeg.length / 2)),
    "a cut HEIC": await refusal(turnedHeic.subarray(0, -20)),
    "a format that has no place there": await refusal(await drawn(9).webp().toBuffer(), { formats: ["png"] }),
    "pixels of a BMP": await refusal(headOfBmp(60_000)),
    "pixels of an SVG": await refusal(svg("", "", 'width="100000" height="100000"')),
    memory: await refusal(await drawn(4000).jpeg({ progressive: true }).toBuffer(), { megabytes: 60 }),
    time: await refusal(svg(slow), { cpuSeconds: 1 }),
  }).toEqual({
    text: "We couldn't read this file as an image. Please choose another.",
    "a cut JPEG": "This JPEG image is damaged or incomplete. Please choose another one.",
    "a cut HEIC": "This HEIC image is damaged or incomplete. Please choose another one.",
    "a format that has no place there": "WebP images can't be used here. Please choose another.",
    "pixels of a BMP": tooManyPixels,
    "pixels of an SVG": tooManyPixels,
    memory: "This image is too big to open. Please choose a smaller one.",
    time: "This image takes too long to open. Please choose a simpler one.",
  });
});
