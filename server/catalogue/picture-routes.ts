import { rm } from "node:fs/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { pictureLimit, pictureTooLarge, uploadFigure, uploadPicture } from "#contract/admin/pictures.ts";
import { pictureAddress, pictureSize } from "#contract/branding.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { acceptMultipart, partsOf } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { keepPicture, type PictureKind } from "#server/settings/pictures.ts";
import { receive } from "#server/storage/receive.ts";
import type { WholeFile } from "#server/storage/storage.ts";

/** Register it in a scope of its own, as it accepts multipart bodies. */
export async function pictureRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  const turns = { max: 10, personOf: (request: Parameters<typeof studentOf>[0]) => studentOf(request).id };
  await acceptMultipart(scope, { fileSize: pictureLimit, files: 1, fields: 0 }, turns);

  serve(scope, uploadPicture, ({ request }) => keep(request, ["logo", "icon"]));
  serve(scope, uploadFigure, ({ request }) => keep(request, ["figure", "portrait"]));

  async function keep(request: FastifyRequest, kinds: readonly PictureKind[]) {
    let original: WholeFile | null = null;
    try {
      for await (const part of partsOf(request)) {
        const kind = kinds.find((name) => name === part.name);
        if (!("file" in part) || !kind) break;
        original = await receive(ctx.storage, part.file.content, pictureLimit);
        if (!original) throw new Refusal("too-large", pictureTooLarge);
        await ctx.scanner?.requireClean(original.path);
        const id = await keepPicture(ctx.db, kind, original.path, ctx.clock.now());
        return { id, src: pictureAddress(id), ...pictureSize(id) };
      }
      throw new Refusal("invalid-input", "Choose a picture.", { errors: { [kinds[0] ?? ""]: ["Required"] } });
    } finally {
      if (original) await rm(original.path, { force: true });
    }
  }
}
