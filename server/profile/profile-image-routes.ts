import { rm } from "node:fs/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  getProfileImage,
  profileImageLimit,
  profileImageTooLarge,
  removeProfileImage as removeProfileImageCall,
  uploadProfileImage,
} from "#contract/profile.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { isForm } from "#server/http/load-shedding/uploads.ts";
import { acceptMultipart, partsOf } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { receive } from "#server/storage/receive.ts";
import type { WholeFile } from "#server/storage/storage.ts";
import { countUpload, readProfileImage, removeProfileImage, saveProfileImage } from "./profile-image.ts";

/**
 * Reads a body that is a little too large to its end, so that the client gets the answer. A larger one is refused
 * unread.
 */
const maxBodyBytes = 4 * profileImageLimit;

/** Needs a scope of its own: it adds the multipart parser to the scope. */
export async function profileImageRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  const turns = { max: 200, personOf: (request: FastifyRequest) => studentOf(request).id };
  await acceptMultipart(scope, { fileSize: profileImageLimit, files: 1, fields: 0 }, turns);
  scope.addHook("onRequest", async (request) => {
    if (Number(request.headers["content-length"]) > maxBodyBytes) throw tooLarge();
    if (isForm(request)) await countUpload(ctx, studentOf(request));
  });

  serve(scope, uploadProfileImage, async ({ request }) => {
    let original: WholeFile | null = null;
    try {
      for await (const part of partsOf(request)) {
        if (part.name !== "profileImage" || !("file" in part)) break;
        // The multipart parser truncates a larger file one byte after the limit.
        original = await receive(ctx.storage, part.file.content, profileImageLimit + 1);
        if (isTooLarge(original) && !request.headers["content-length"]) throw tooLarge();
      }
      if (!original) throw new Refusal("invalid-input", "Choose an image.", { errors: { profileImage: ["Required"] } });
      if (isTooLarge(original)) throw tooLarge();
      return await saveProfileImage(ctx, studentOf(request), original);
    } finally {
      if (original) await rm(original.path, { force: true });
    }
  });

  serve(scope, removeProfileImageCall, ({ request }) => removeProfileImage(ctx, studentOf(request)));

  serve(scope, getProfileImage, async ({ request, params, reply }) => {
    const { stream, size } = await readProfileImage(ctx, studentOf(request), params.name);
    reply.headers({
      "content-type": "image/webp",
      "content-length": size,
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, max-age=31536000, immutable",
    });
    return stream;
  });
}

function isTooLarge(file: WholeFile | null): boolean {
  return file !== null && file.size >= profileImageLimit;
}

function tooLarge(): Refusal {
  return new Refusal("too-large", profileImageTooLarge);
}
