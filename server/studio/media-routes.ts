import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { MINUTE, SECOND } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { clientOf } from "#server/http/client.ts";
import { describeRange, requestedRange } from "#server/http/range.ts";
import { limitInMemory } from "#server/http/rate-limit-in-memory.ts";
import type { Opened } from "./addresses.ts";
import { type MediaFile, openAdmissions, openToken, type ShownVideos } from "./admission.ts";
import { findUpload } from "./playable.ts";
import { masterPlaylist, mediaPlaylist, nameOf } from "./playlists.ts";

const Params = z.object({
  token: z.string(),
  file: z.string().regex(/^(master\.m3u8|\d{1,4}\.(m3u8|mp4)|video\.mp4)$/),
});

/** A player asks for some 30 ranges a minute, and for more while somebody skips through the video. */
const requests = { max: 600, window: MINUTE, message: "That's a lot of requests. Please wait a minute." };

/** The files of uploaded videos, by addresses that `addressOf` makes. */
export function mediaRoutes(scope: FastifyInstance, ctx: Context, shown: ShownVideos): void {
  const admit = openAdmissions(ctx, shown);
  const count = limitInMemory(requests);

  scope.get("/media/:token/:file", { schema: { hide: true, params: Params } }, async (request, reply) => {
    const { token, file } = request.params as z.output<typeof Params>;
    const opened = await openToken(ctx, request, reply, token);
    count(opened.viewer?.sid ?? clientOf(request).key);
    const files = await admit(opened);
    if (file.endsWith(".m3u8")) return sendPlaylist(ctx, reply, opened, file);
    const found = files.find(({ name }) => name === file);
    if (!found) throw notFound("file");
    return sendFile(ctx, request, reply, found, () => admit(opened));
  });
}

async function sendPlaylist(ctx: Context, reply: FastifyReply, { videoId }: Opened, file: string) {
  const renditions = (await findUpload(ctx.db, videoId))?.renditions ?? [];
  const rendition = renditions.find((one) => `${nameOf(one)}.m3u8` === file);
  const isMaster = file === "master.m3u8" && renditions.length > 0;
  if (!rendition && !isMaster) throw notFound("file");
  const playlist = rendition ? mediaPlaylist(rendition) : masterPlaylist(renditions);
  return reply.header("content-type", "application/vnd.apple.mpegurl").send(playlist);
}

/** @param check throws once the viewer may no longer watch */
async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  file: MediaFile,
  check: () => Promise<unknown>,
): Promise<FastifyReply> {
  const described = { size: file.size, etag: `"${file.sha256}"` };
  const range = requestedRange(request, reply, described);
  const stored = request.method === "HEAD" ? null : await ctx.storage.read(file.key, range ?? undefined);
  if (!stored && request.method !== "HEAD") {
    ctx.log.error({ key: file.key }, "a file of a video is missing");
    throw new Refusal("unavailable", "This video's file is missing. Please contact support.");
  }
  describeRange(reply, range, described);
  reply.headers({ "content-type": "video/mp4", "cache-control": "private", "content-security-policy": sandbox });
  return reply.send(stored ? Readable.from(whileAllowed(ctx, stored.stream, check)) : Readable.from([]));
}

const sandbox = "default-src 'none'; sandbox";

/** How often a reader is checked who takes long to read one range: a browser reads a whole film in one. */
const checkEvery = 30 * SECOND;

async function* whileAllowed(ctx: Context, stream: Readable, check: () => Promise<unknown>) {
  let checkedAt = ctx.clock.now().getTime();
  for await (const chunk of stream) {
    const now = ctx.clock.now().getTime();
    if (now - checkedAt > checkEvery) {
      checkedAt = now;
      await check();
    }
    yield chunk;
  }
}
