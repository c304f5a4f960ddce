import { rm } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { ResourceDetails, type ResourceFormat } from "#contract/resources.ts";
import { cleanFileName } from "#server/base/file-names.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { partsOf, type UploadedFile, type UploadLimits } from "#server/http/multipart.ts";
import { receive } from "#server/storage/receive.ts";
import type { WholeFile } from "#server/storage/storage.ts";
import { formatOfName } from "../rules.ts";
import { type Fault, findFault } from "./content.ts";

/** A complete file in `incoming` with content of the format. */
export interface CheckedFile extends WholeFile {
  readonly name: string;
  readonly format: ResourceFormat;
}

export interface Upload {
  readonly details: ResourceDetails;
  readonly files: readonly CheckedFile[];
}

const accepted = "PDF, XLSX, XLS, DOCX, DOC, ZIP and RAR";
/** Bytes of fields and headers besides the files. */
const formOverhead = 1024 * 1024;
const fieldNames: readonly string[] = Object.keys(ResourceDetails.shape);

export function uploadLimits(ctx: Context): UploadLimits & { readonly totalSize: number } {
  const { uploadLimitBytes } = ctx;
  return { files: 10, fields: fieldNames.length, fileSize: uploadLimitBytes, totalSize: 5 * uploadLimitBytes };
}

/** Leaves the files in `incoming` for the caller, but none when it throws a Refusal. */
export async function receiveUpload(ctx: Context, request: FastifyRequest): Promise<Upload> {
  const { totalSize } = uploadLimits(ctx);
  // Refuses a too large Content-Length unread. A body with a wrong length is cut at the limit.
  if (Number(request.headers["content-length"]) > totalSize + formOverhead) {
    throw new Refusal("too-large", tooLargeTogether(totalSize));
  }
  const fields = new Map<string, string>();
  const files: CheckedFile[] = [];
  try {
    for await (const part of partsOf(request)) {
      if ("file" in part) {
        if (part.name !== "files") throw new Refusal("malformed-request", "Files belong into the field “files”.");
        files.push(await receiveFile(ctx, part.file, sizeOf(files)));
      } else {
        if (!fieldNames.includes(part.name) || fields.has(part.name)) {
          throw new Refusal("malformed-request", "The form has a field that does not belong to it.");
        }
        fields.set(part.name, part.value);
      }
    }
    return { details: readDetails(fields, files.length), files };
  } catch (error) {
    await discard(files);
    throw error;
  }
}

export async function discard(files: readonly WholeFile[]): Promise<void> {
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
}

/** @throws Refusal unsupported-media-type unless name and content are of an accepted format. */
export async function checkFile(file: WholeFile, originalName: string): Promise<CheckedFile> {
  const name = cleanFileName(originalName);
  const format = formatOfName(name);
  if (!format) throw notAccepted(name);
  if (file.size === 0) throw new Refusal("unsupported-media-type", `“${name}” is empty.`);
  const fault = await findFault(file.path, format);
  if (fault) throw new Refusal("unsupported-media-type", `“${name}” ${faultWords[fault](format.toUpperCase())}`);
  return { ...file, name, format };
}

const faultWords: Readonly<Record<Fault, (format: string) => string>> = {
  cut: () => "is cut off: its end is missing. Upload it again.",
  password: () => "has a password. Save it without one, and upload it again.",
  other: (format) => `is not a ${format} file, whatever its name says.`,
};

async function receiveFile(ctx: Context, { name, content }: UploadedFile, before: number): Promise<CheckedFile> {
  const { fileSize, totalSize } = uploadLimits(ctx);
  const label = cleanFileName(name);
  // Checks the name before it writes anything.
  if (!formatOfName(label)) throw notAccepted(label);
  const file = await receive(ctx.storage, content, Math.min(fileSize, totalSize - before));
  if (!file) throw new Refusal("too-large", tooLarge(label, fileSize, totalSize, before));
  try {
    const checked = await checkFile(file, name);
    await ctx.scanner?.requireClean(file.path);
    return checked;
  } catch (error) {
    await discard([file]);
    throw error;
  }
}

function readDetails(fields: ReadonlyMap<string, string>, fileCount: number): ResourceDetails {
  const parsed = ResourceDetails.safeParse({ lessonId: "", description: "", ...Object.fromEntries(fields) });
  if (parsed.success && fileCount > 0) return parsed.data;
  const errors: Record<string, string[]> = fileCount > 0 ? {} : { files: ["Required"] };
  for (const issue of parsed.error?.issues ?? []) {
    const field = String(issue.path[0]);
    errors[field] = [...(errors[field] ?? []), fields.get(field) ? issue.message : "Required"];
  }
  if (!Object.values(errors).flat().includes("Required")) throw invalidFields(errors);
  throw new Refusal("invalid-input", "Please fill in all required fields.", { errors });
}

function notAccepted(name: string): Refusal {
  return new Refusal(
    "unsupported-media-type",
    `“${name || "A file"}” is not accepted. Accepted are ${accepted} files.`,
  );
}

function tooLarge(name: string, fileSize: number, totalSize: number, before: number): string {
  return before + fileSize > totalSize
    ? tooLargeTogether(totalSize)
    : `“${name}” is larger than ${inMegabytes(fileSize)}.`;
}

function tooLargeTogether(totalSize: number): string {
  return `The files together are larger than ${inMegabytes(totalSize)}.`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function sizeOf(files: readonly WholeFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
