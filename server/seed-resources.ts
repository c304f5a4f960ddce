import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CourseFile, courseFiles } from "#content/resources.ts";
import { hasResourceTitled, storeUpload } from "#server/resources/resources.ts";
import { checkFile } from "#server/resources/uploads/receive-upload.ts";
import { receive } from "#server/storage/receive.ts";
import type { Context } from "./context/context.ts";

/** Uploads the course files as an administrator would; those that exist stay. */
export async function seedResources(ctx: Context): Promise<void> {
  for (const courseFile of courseFiles) {
    const { file: _, ...details } = courseFile;
    if (await hasResourceTitled(ctx.db, details)) continue;
    await storeUpload(ctx, "system", { details, files: [await receiveCourseFile(ctx, courseFile)] });
  }
}

async function receiveCourseFile(ctx: Context, { file, title }: CourseFile) {
  const path = fileURLToPath(new URL(`../content/resources/${file}`, import.meta.url));
  const received = await receive(ctx.storage, createReadStream(path), ctx.uploadLimitBytes);
  if (!received) throw new Error(`${file} is larger than uploads may be`);
  return checkFile(received, `${title}.${file.split(".").at(-1)}`);
}
