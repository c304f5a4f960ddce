import { expect, test } from "vitest";
import { decodeBmp } from "./bmp.ts";

const [red, green, blue] = ["c81e1e", "1ec81e", "1e1ec8"] as [string, string, string];
const width = 5;
/** From the top. */
const picture = [
  [blue, blue, blue, blue, blue],
  [red, red, red, red, green],
];
const palette = [red, green, blue];
const channelsOf = (color: string) => [...Buffer.from(color, "hex")] as [number, number, number];

/** Colours as blue, green, red and what follows. */
const bgr =
  (...rest: number[]) =>
  (line: string[]) =>
    line.flatMap((color) => [...channelsOf(color).reverse(), ...rest]);
const numbers = (line: string[]) => line.map((color) => palette.indexOf(color));
const nibbles = (line: string[]) => Buffer.from(`${numbers(line).join("")}0`, "hex");
const words = (redAt: number, greenBits: number) => (line: string[]) =>
  line.flatMap((color) => {
    const [r, g, b] = channelsOf(color);
    const word = ((r >> 3) << redAt) | ((g >> (8 - greenBits)) << 5) | (b >> 3);
    return [word & 255, word >> 8];
  });
const runs = (line: string[]) => [...numbers(line).flatMap((number) => [1, number]), 0, 0];

interface Kind {
  readonly bits: number;
  readonly line: (colors: string[]) => Iterable<number>;
  readonly compression?: number;
  /** Bytes between header and pixels. */
  readonly between?: number[];
  readonly isTopDown?: boolean;
  readonly header?: 12 | 40 | 124;
}

const paletteBytes = bgr(0)(palette);
const masks = [0xf800, 0x7e0, 0x1f].flatMap((mask) => [mask & 255, mask >> 8, 0, 0]);

function bmp({ bits, line, compression = 0, between = [], isTopDown = false, header = 40 }: Kind): Buffer {
  const lines = (isTopDown ? picture : picture.toReversed()).map((colors) => [...line(colors)]);
  const isPadded = compression !== 1;
  const pixels = lines.flatMap((bytes) => [...bytes, ...Array(isPadded ? -bytes.length & 3 : 0).fill(0)]);
  if (!isPadded) pixels.push(0, 1);
  const start = Buffer.alloc(14 + header);
  start.write("BM");
  start.writeUInt32LE(start.length + between.length + pixels.length, 2);
  start.writeUInt32LE(start.length + between.length, 10);
  start.writeUInt32LE(header, 14);
  if (header === 12) {
    for (const [at, value] of [width, picture.length, 1, bits].entries()) start.writeUInt16LE(value, 18 + 2 * at);
  } else {
    start.writeInt32LE(width, 18);
    start.writeInt32LE(isTopDown ? -picture.length : picture.length, 22);
    start.writeUInt16LE(1, 26);
    start.writeUInt16LE(bits, 28);
    start.writeUInt32LE(compression, 30);
    start.writeUInt32LE(pixels.length, 34);
    start.writeUInt32LE(bits <= 8 ? palette.length : 0, 46);
  }
  if (header === 124) {
    for (const [at, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) start.writeUInt32LE(mask, 54 + 4 * at);
  }
  return Buffer.concat([start, Buffer.from(between), Buffer.from(pixels)]);
}

test.each<[string, Kind]>([
  ["of 24 bits", { bits: 24, line: bgr() }],
  ["from the top", { bits: 24, line: bgr(), isTopDown: true }],
  ["with a gap before the pixels", { bits: 24, line: bgr(), between: Array(64).fill(0x55) }],
  ["of OS/2", { bits: 24, line: bgr(), header: 12 }],
  ["of 32 bits without transparency", { bits: 32, line: bgr(0) }],
  ["of 32 bits and version 5", { bits: 32, line: bgr(255), compression: 3, header: 124 }],
  ["of 16 bits", { bits: 16, line: words(10, 5) }],
  ["of 16 bits with masks", { bits: 16, line: words(11, 6), compression: 3, between: masks }],
  ["of 8 bits", { bits: 8, line: numbers, between: paletteBytes }],
  ["of 8 bits and run lengths", { bits: 8, line: runs, compression: 1, between: paletteBytes }],
  ["of 4 bits", { bits: 4, line: nibbles, between: paletteBytes }],
])("a BMP picture %s becomes its pixels", async (_, kind) => {
  const checked: number[] = [];
  const { data, info } = await decodeBmp(bmp(kind), (...size) => checked.push(...size));
  expect(checked).toEqual([width, picture.length]);
  expect(info).toEqual({ width, height: picture.length, channels: 4 });
  // Of 16 bits, each channel has five.
  const tolerance = kind.bits === 16 ? 8 : 0;
  for (const [at, color] of picture.flat().entries()) {
    for (const [channel, value] of channelsOf(color).entries()) {
      expect(Math.abs((data[4 * at + channel] ?? 0) - value), `pixel ${at}`).toBeLessThanOrEqual(tolerance);
    }
    expect(data[4 * at + 3]).toBe(255);
  }
});

test("a BMP picture that ends early is refused", async () => {
  const whole = bmp({ bits: 24, line: bgr() });
  for (const length of [2, 20, 50, 60, whole.length - 20]) {
    await expect(
      decodeBmp(whole.subarray(0, length), () => {}),
      String(length),
    ).rejects.toThrow();
  }
});
