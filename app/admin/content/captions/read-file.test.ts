import { expect, test } from "vitest";
import { readFile } from "./read-file.ts";

const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nmás 🧾\n";
const cues = [{ startsAt: 1000, endsAt: 2000, text: "más 🧾" }];

function utf16(isBigEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2 + 2));
  for (const [at, unit] of [...`\uFEFF${text}`.split("")].entries()) {
    view.setUint16(at * 2, unit.charCodeAt(0), !isBigEndian);
  }
  return new Uint8Array(view.buffer);
}

test("UTF-8 with and without its mark and UTF-16 in both orders are read", async () => {
  for (const part of [text, `\uFEFF${text}`, utf16(false), utf16(true)]) {
    expect(await readFile(new Blob([part]))).toEqual({ cues });
  }
});

test("other encodings and too large files are refused, the former with their line", async () => {
  const latin = new Uint8Array([...text].map((letter) => letter.charCodeAt(0) & 0xff));
  latin[latin.length - 4] = 0xe1;
  expect(await readFile(new Blob([latin]))).toMatchObject({ faults: [{ line: 4, message: /UTF-8/ }] });
  const unmarked = utf16(false).slice(2);
  expect((await readFile(new Blob([unmarked]))).faults).toMatchObject([{ line: 1 }]);
  const large = await readFile(new Blob([text, new Uint8Array(5 * 1024 * 1024)]));
  expect(large.faults).toEqual([{ line: 1, message: "This file is larger than 5 MB." }]);
});
