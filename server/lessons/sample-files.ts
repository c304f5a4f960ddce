import type { FastifyReply, FastifyRequest } from "fastify";
import type { SampleFile } from "./lessons.ts";

/** Browsers ask again and again while a lesson plays. */
export const cacheControl = "private, max-age=300";

export async function sendSample(request: FastifyRequest, reply: FastifyReply, { root, path }: SampleFile) {
  // Loaded here: its list of media types takes memory.
  const { send } = await import("@fastify/send");
  const result = await send(request.raw, path, { root, cacheControl: false });
  return reply
    .code(result.statusCode)
    .headers({ ...result.headers, "cache-control": cacheControl })
    .send(result.stream);
}
