import { inflateRawSync } from "node:zlib";
import { exportData } from "#contract/profile.ts";
import type { Visitor } from "./visitor.ts";

/** The files in a zip archive, by name. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf("PK\u0005\u0006");
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [nameSize, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    const name = archive.toString("utf8", at + 46, at + 46 + nameSize);
    files.set(name, method === 0 ? content : inflateRawSync(content));
    at += 46 + nameSize + extra + comment;
  }
  return files;
}

/** A file in the archive of a person's own data, as text. */
export async function exportedFile(person: Visitor, name: string): Promise<string> {
  const { status, body } = await person.call(exportData);
  if (status !== 200) throw new Error(`the export was refused with ${status}`);
  return (
    unzip(body as Buffer)
      .get(name)
      ?.toString() ?? ""
  );
}
