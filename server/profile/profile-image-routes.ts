import type { FastifyInstance } from "fastify";
import {
  getProfileImage,
  profileImageLimit,
  profileImageTooLarge,
  removeProfileImage as removeProfileImageCall,
  uploadProfileImage,
} from "#contract/profile.ts";
import type { Context } from "#server/context.ts";
import { acceptMultipart, partsOf, type UploadedFile } from "#server/http/body/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import { readProfileImage, removeProfileImage, saveProfileImage } from "./profile-image.ts";

/** What is a little too large is read to its end and thrown away, so that the answer arrives; more is not even begun. */
const longestBody = 4 * profileImageLimit;

/** A person's picture: sent by them, shown to them. For a scope of its own: only here bodies are multipart. */
export async function profileImageRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  await acceptMultipart(scope, { fileSize: profileImageLimit, files: 1, fields: 0 });
  scope.addHook("onRequest", (request, _reply, done) => {
    done(Number(request.headers["content-length"]) > longestBody ? tooLarge() : undefined);
  });

  serve(scope, uploadProfileImage, async ({ request }) => {
    let original: Buffer | undefined;
    for await (const part of partsOf(request)) {
      if (part.name !== "profileImage" || !("file" in part)) break;
      original = await bytesOf(part.file);
      // Without a length nobody knows how much is still to come.
      if (original.length >= profileImageLimit && !request.headers["content-length"]) throw tooLarge();
    }
    if (!original) throw new Refusal("invalid-input", "Choose an image.", { errors: { profileImage: ["Required"] } });
    if (original.length >= profileImageLimit) throw tooLarge();
    return saveProfileImage(ctx, studentOf(request), original);
  });

  serve(scope, removeProfileImageCall, ({ request }) => removeProfileImage(ctx, studentOf(request)));

  serve(scope, getProfileImage, async ({ request, params, reply }) => {
    const { stream, size } = await readProfileImage(ctx, studentOf(request), params.name);
    reply.headers({
      "content-type": "image/webp",
      "content-length": size,
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      // Another picture has another name.
      "cache-control": "private, max-age=31536000, immutable",
    });
    return stream;
  });
}

/** The content, cut off where the limit of the form has it end. */
async function bytesOf({ content }: UploadedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooLarge(): Refusal {
  return new Refusal("too-large", profileImageTooLarge);
}
