import { inflateSync } from "node:zlib";

/** Each text that a PDF of ours writes: hexadecimal, in the character set of its fonts. */
export function textsOfPdf(pdf: Buffer): string {
  const streams = pdf.toString("latin1").matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g);
  const contents = [...streams].flatMap(([, stream = ""]) => {
    try {
      return [inflateSync(Buffer.from(stream, "latin1")).toString("latin1")];
    } catch {
      return []; // A font.
    }
  });
  const lines = contents.join("\n").matchAll(/\[([^\]]*)\] TJ/g);
  const read = (hex = "") => Buffer.from(hex, "hex").toString("latin1");
  return [...lines]
    .map(([, line = ""]) => [...line.matchAll(/<(\w*)>/g)].map(([, hex]) => read(hex)).join(""))
    .join("\n");
}
