import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { videosPath } from "#contract/admin/studio.ts";
import { until } from "../until.ts";
import type { Visitor } from "../visitor.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const tus = { "tus-resumable": "1.0.0" };
const piece = { ...tus, "content-type": "application/offset+octet-stream" };
const urlOf = (id: string) => `${videosPath}/${id}`;

/** What begins an upload: without a body, the file's size and name. */
export function askToUpload(visitor: Visitor, { name = "film.mp4", size }: { name?: string; size: number }) {
  const metadata = `filename ${Buffer.from(name).toString("base64")}`;
  return visitor.send("POST", videosPath, undefined, {
    ...tus,
    "upload-length": String(size),
    "upload-metadata": metadata,
  });
}

/** Begins an upload. Returns its id. */
export async function beginUpload(visitor: Visitor, file: { name?: string; size: number }): Promise<string> {
  const response = await askToUpload(visitor, file);
  const location = response.headers.get("location");
  if (response.status !== 201 || !location) throw new Error(`no upload: ${response.status} ${await response.text()}`);
  return location.slice(videosPath.length + 1);
}

export function sendPiece(visitor: Visitor, id: string, start: number, bytes: Bytes): Promise<Response> {
  return visitor.send("PATCH", urlOf(id), bytes, { ...piece, "upload-offset": String(start) });
}

export function askForOffset(visitor: Visitor, id: string): Promise<Response> {
  return visitor.send("HEAD", urlOf(id), undefined, tus);
}

/** How many bytes have come. */
export async function offsetOf(visitor: Visitor, id: string): Promise<number> {
  return Number((await askForOffset(visitor, id)).headers.get("upload-offset") ?? Number.NaN);
}

/** The same once no other request writes to the upload. */
export async function freeOffsetOf(visitor: Visitor, id: string): Promise<number> {
  const { offset } = await until(async () => {
    const offset = await offsetOf(visitor, id);
    return Number.isInteger(offset) && { offset };
  });
  return offset;
}

export interface OpenPiece {
  /** Sends more of it. Resolves when the operating system has it. */
  write(bytes: Bytes): Promise<void>;
  /** Cuts the connection. */
  cut(): void;
  /** The status of the answer; null when the connection ended without one. */
  readonly status: Promise<number | null>;
}

/** Begins to send a piece of this size. */
export function openPiece(visitor: Visitor, id: string, start: number, size: number): OpenPiece {
  const { cookieHeader: cookie, origin } = visitor;
  const headers = { ...piece, cookie, origin, "upload-offset": start, "content-length": size };
  const sent = request(new URL(urlOf(id), visitor.origin), { method: "PATCH", headers });
  const status = new Promise<number | null>((resolve) => {
    sent.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    sent.on("error", () => resolve(null));
    sent.once("close", () => resolve(null));
  });
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => sent.write(bytes, (error) => (error ? reject(error) : resolve()))),
    cut: () => sent.destroy(),
    status,
  };
}

/** Bytes that begin like an MP4 file, and differ from each other. */
export function filmLike(size: number): Bytes {
  const bytes = new Uint8Array(randomBytes(size));
  bytes.set(Buffer.from("\0\0\0\x18ftypisom").subarray(0, size));
  return bytes;
}
