import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { decodeImage } from "./decode.ts";
import type { Format, Limits } from "./decoder-process.ts";

const directory = await mkdtemp(join(tmpdir(), "academy-images-"));
afterAll(() => rm(directory, { recursive: true }));

async function decode(content: Buffer | string, { formats, ...limits }: Partial<Limits> & { formats?: Format[] } = {}) {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, content);
  const wanted = { longestSide: 512, instead: "another", ...(formats && { formats }) };
  const { info } = await decodeImage(path, wanted, { cpuSeconds: 10, megabytes: 450, ...limits });
  return info;
}

const refusal = (...args: Parameters<typeof decode>) =>
  decode(...args).then(
    () => "decoded",
    (error: Error) => error.message,
  );

const drawn = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: "#c81e1e" }, limitInputPixels: false });

test("each refusal names its cause [U14]", async () => {
  const unreadable = "This file could not be read as an image. Please choose another.";
  const jpeg = await drawn(300).jpeg().toBuffer();
  expect({
    text: await refusal("hello"),
    "a cut JPEG": await refusal(jpeg.subarray(0, jpeg.length / 2)),
    "a format that has no place there": await refusal(await drawn(9).webp().toBuffer(), { formats: ["png"] }),
    memory: await refusal(await drawn(4000).jpeg({ progressive: true }).toBuffer(), { megabytes: 60 }),
  }).toEqual({
    text: unreadable,
    "a cut JPEG": "This JPEG image is damaged or incomplete. Please choose another one.",
    "a format that has no place there": "WebP images can't be used here. Please choose another.",
    memory: "The image needs too much memory to open. Please choose a smaller one.",
  });
});
