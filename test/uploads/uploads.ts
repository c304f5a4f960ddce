import { crc32 } from "node:zlib";
import type { Resource, ResourceFormat } from "#contract/resources.ts";
import type { Visitor } from "../visitor.ts";

type Bytes = Buffer<ArrayBuffer>;

/** A zip archive of these entries, uncompressed. */
export function zipOf(entries: Readonly<Record<string, string | Bytes>>): Bytes {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const location = Buffer.alloc(14);
    location.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), content]);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), fields, location, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const directoryLength = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directoryLength, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), end]);
}

/** A minimal Office document. `listed`: the part that it names as its main one. */
export function officeOf(kind: string, part: string, listed = `/${part}`): Bytes {
  const type = `application/vnd.openxmlformats-officedocument.${kind}.main+xml`;
  const list = `<Types><Override PartName="${listed}" ContentType="${type}"/></Types>`;
  return zipOf({ "[Content_Types].xml": list, [part]: "<document/>" });
}

/** The same archive with its sizes in 64 bits. */
export function inZip64(archive: Bytes): Bytes {
  const endAt = archive.length - 22;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(archive.readUInt32LE(endAt + 12)), 40);
  record.writeBigUInt64LE(BigInt(archive.readUInt32LE(endAt + 16)), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(endAt), 8);
  const end = Buffer.from(archive.subarray(endAt));
  end.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, endAt), record, locator, end]);
}

/** A minimal file of the older Office format: a header, an allocation table and a directory with one stream. */
export function oleOf(stream: string): Bytes {
  const file = Buffer.alloc(4 * 512);
  file.write("d0cf11e0a1b11ae1", "hex");
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48); // the directory begins in sector 1
  file.writeUInt32LE(0, 76); // the allocation table is sector 0
  file.fill(0xff, 512, 1024);
  file.writeUInt32LE(2, 512 + 4); // after sector 1 comes sector 2
  entry(1024, "Root Entry");
  entry(1536, stream);
  return file;

  function entry(at: number, name: string): void {
    file.write(name, at, "utf16le");
    file.writeUInt16LE(2 * name.length + 2, at + 64);
  }
}

/** A small valid file of each type. */
export const samples: Readonly<Record<ResourceFormat, Bytes>> = {
  pdf: Buffer.from("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"),
  xlsx: officeOf("spreadsheetml.sheet", "xl/workbook.xml"),
  docx: officeOf("wordprocessingml.document", "word/document.xml"),
  zip: zipOf({ "notes.txt": "shelf 4, row 2" }),
  xls: oleOf("Workbook"),
  doc: oleOf("WordDocument"),
  rar: Buffer.concat([Buffer.from("Rar!\x1a\x07\x01\x00", "latin1"), Buffer.alloc(64, 1)]),
};

export interface NamedFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The form as the page sends it. `fields` override its values. */
export function uploadForm(files: readonly NamedFile[], fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const { name, content } of files) form.append("files", new Blob([content]), name);
  const all = {
    moduleId: "module-1",
    lessonId: "",
    title: "A file",
    description: "",
    requiredTier: "basic",
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  return form;
}

/** Uploads a picture in a field of a form. Returns the picture, or why it is refused. */
export async function sendPicture(who: Visitor, path: string, field: string, content: Uint8Array, name = "picture") {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(content)]), name);
  const response = await who.send("POST", path, form);
  const body = (await response.json()) as { id: string; src: string; width: number; height: number; message?: string };
  return { status: response.status, ...body };
}

/** Uploads like an administrator's page. @throws Error when it is refused. */
export async function upload(
  administrator: Visitor,
  files: readonly NamedFile[],
  fields?: Readonly<Record<string, string>>,
): Promise<Resource[]> {
  const response = await administrator.send("POST", "/api/upload-resource", uploadForm(files, fields));
  if (!response.ok) throw new Error(`the upload was refused: ${await response.text()}`);
  return ((await response.json()) as { resources: Resource[] }).resources;
}
