import { inflateSync } from "node:zlib";

/**
 * Each text that a PDF of ours writes, on a line of its own, in the order in which it is drawn: a text that reads from
 * right to left begins with its last character. U+0000 is a character that the font does not have.
 */
export function textsOfPdf(pdf: Buffer): string {
  const file = pdf.toString("latin1");
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body = ""]) => [id, body]),
  );
  const fonts = new Map(
    [...file.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name, charactersOf(objects.get(id) ?? "")]),
  );
  /** By glyph; null where a byte is a character of Latin-1. */
  function charactersOf(font: string): string[] | null {
    const [, id] = font.match(/\/ToUnicode (\d+) 0 R/) ?? [];
    if (!id) return null;
    const ranges = streamOf(objects.get(id)).matchAll(/> \[(.*)\]/g);
    const entries = [...ranges].flatMap(([, entry = ""]) => [...entry.matchAll(/<([^>]*)>/g)]);
    return entries.map(([, hex = ""]) => Buffer.from(hex.replaceAll(" ", ""), "hex").swap16().toString("utf16le"));
  }
  const drawn = [...objects.values()].map(streamOf).join("\n");
  const lines = drawn.matchAll(/\/(F\d+) [\d.]+ Tf\n(?:.*\n)*?\[([^\]]*)\] TJ/g);
  return [...lines]
    .map(([, name, line = ""]) => {
      const hex = [...line.matchAll(/<(\w*)>/g)].map(([, part]) => part).join("");
      const characters = fonts.get(name);
      if (!characters) return Buffer.from(hex, "hex").toString("latin1");
      return [...hex.matchAll(/.{4}/g)].map(([glyph]) => characters[Number.parseInt(glyph, 16)]).join("");
    })
    .join("\n");
}

function streamOf(object = ""): string {
  // The last byte of a stream may be a carriage return, which is not a part of the line's end.
  const [, stream] = object.match(/stream\n([\s\S]*?)\nendstream/) ?? [];
  if (!stream) return "";
  try {
    return inflateSync(Buffer.from(stream, "latin1")).toString("latin1");
  } catch {
    return ""; // A font.
  }
}
