import type { FastifyReply, FastifyRequest } from "fastify";
import type { Poster } from "./lessons.ts";

/** A short lifetime in browsers, which request parts again and again while a lesson plays. */
export const cacheControl = "private, max-age=300";

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: Poster) {
  if ("stream" in file) {
    const type = { "content-type": "image/jpeg", "content-security-policy": "default-src 'none'; sandbox" };
    return reply.headers({ ...type, "content-length": file.size, "cache-control": cacheControl }).send(file.stream);
  }
  // Loads the library on first use: its list of media types takes memory.
  const { send } = await import("@fastify/send");
  const result = await send(request.raw, file.path, { root: file.root, cacheControl: false });
  return reply
    .code(result.statusCode)
    .headers({ ...result.headers, "cache-control": cacheControl })
    .send(result.stream);
}
