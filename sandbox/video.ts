import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { BadRequest, jsonOf } from "./bad-request.ts";
import { drawPicture } from "./video-picture.ts";

/** The end of a video's id selects the reply, like the gateway's test cards. */
const gone = /gone|404$/i;
const restricted = /shut|403$/i;
const withoutPicture = /bare|415$/i;

interface VideoRequest {
  readonly Querystring: { readonly url?: string; readonly token?: string; readonly expires?: string };
  readonly Params: { readonly id: string };
}

/** Sends a refusal, or returns null. @param id the video's id; undefined when the URL has none */
type Refuse = (reply: FastifyReply, id: string | undefined, forbidden: number) => FastifyReply | null;

/** Descriptions and pictures of videos with the services' statuses, but no videos. */
export function videoRoutes(): FastifyPluginAsync {
  let isAnswering = true;
  const refuse: Refuse = (reply, id, forbidden) => {
    if (!isAnswering) return reply.code(503).type("text/html").send("Service Unavailable");
    if (!id || gone.test(id)) return reply.code(404).type("text/html").send("Not Found");
    if (restricted.test(id)) return reply.code(forbidden).type("text/html").send("Unauthorized");
    return null;
  };
  return async (app) => {
    oEmbedRoutes(app, refuse);
    muxRoutes(app, refuse);
    app.get<{ Params: { id: string; size: string } }>(
      "/pictures/:id/:size(\\d{2,4}x\\d{2,4}).jpg",
      async (request, reply) =>
        isAnswering ? sendPicture(reply, request.params.id, request.params.size) : reply.code(503).send(),
    );
    // Not part of any service: after `false` all of them reply with 503, until `true`.
    app.post("/answers", async ({ body }) => {
      const answers = jsonOf(body);
      if (typeof answers !== "boolean") throw new BadRequest("true or false");
      isAnswering = answers;
      return { answers };
    });
  };
}

function oEmbedRoutes(app: FastifyInstance, refuse: Refuse): void {
  app.get<VideoRequest>("/youtube/oembed", async (request, reply) => {
    const id = /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]{11})$/.exec(request.query.url ?? "")?.[1];
    return refuse(reply, id, 401) ?? described(request, id, "480x360");
  });

  app.get<VideoRequest>("/vimeo/oembed.json", async (request, reply) => {
    const id = /^https:\/\/vimeo\.com\/(\d+)(\/[0-9a-f]+)?$/.exec(request.query.url ?? "")?.[1];
    return refuse(reply, id, 403) ?? { ...described(request, id, "1280x720"), duration: 62 };
  });

  app.get<VideoRequest>("/bunny/OEmbed", async (request, reply) => {
    const { url = "", token, expires } = request.query;
    const id = /^https:\/\/iframe\.mediadelivery\.net\/embed\/\d+\/([0-9a-f-]{36})$/.exec(url)?.[1];
    const refused = refuse(reply, id, 403);
    if (refused) return refused;
    return token && expires ? described(request, id, "1280x720") : reply.code(403).send();
  });
}

/** Only what the academy reads of the services' replies. */
function described(request: FastifyRequest, id: string | undefined, size: string): object {
  return { title: `Sandbox video ${id}`, thumbnail_url: pictureOf(request, id, size) };
}

function muxRoutes(app: FastifyInstance, refuse: Refuse): void {
  app.get<VideoRequest>("/mux/:id/storyboard.json", async (request, reply) => {
    const refused = refuse(reply, request.params.id, 403);
    if (refused) return refused;
    return request.query.token ? { duration: 61.4 } : reply.code(403).send();
  });

  app.get<VideoRequest>("/mux/:id/thumbnail.jpg", async (request, reply) => {
    if (!request.query.token) return reply.code(403).send();
    return refuse(reply, request.params.id, 403) ?? sendPicture(reply, request.params.id, "1280x720");
  });
}

/** Uses the host of the request, because the sandbox may have several. */
function pictureOf(request: FastifyRequest, id: string | undefined, size: string): string {
  return `${request.protocol}://${request.host}/sandbox/video/pictures/${id}/${size}.jpg`;
}

async function sendPicture(reply: FastifyReply, id: string, size: string): Promise<FastifyReply> {
  if (withoutPicture.test(id)) return reply.type("image/jpeg").send("<!doctype html><title>No picture</title>");
  const [width = 0, height = 0] = size.split("x").map(Number);
  return reply.type("image/jpeg").send(await drawPicture(id, Math.min(width, 1920), Math.min(height, 1080)));
}
