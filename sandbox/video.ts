import type { FastifyPluginAsync } from "fastify";
import { BadRequest, jsonOf } from "./bad-request.ts";

/** Parts of an id that decide what becomes of it, as with the gateway's test cards. */
const gone = /gone|404$/i;
const restricted = /shut|403$/i;

/** What YouTube and Vimeo say of their videos by oEmbed, in their own words and statuses. Not their videos. */
export function videoRoutes(): FastifyPluginAsync {
  let answers = true;
  return async (app) => {
    app.get<{ Querystring: { url?: string } }>("/youtube/oembed", async ({ query }, reply) => {
      const id = /^https:\/\/www\.youtube\.com\/watch\?v=([\w-]{11})$/.exec(query.url ?? "")?.[1];
      if (!answers) return reply.code(503).type("text/html").send("Service Unavailable");
      if (!id || gone.test(id)) return reply.code(404).type("text/html").send("Not Found");
      if (restricted.test(id)) return reply.code(401).type("text/html").send("Unauthorized");
      return {
        title: `Sandbox video ${id}`,
        author_name: "Sandbox",
        author_url: "https://www.youtube.com/@sandbox",
        type: "video",
        height: 113,
        width: 200,
        version: "1.0",
        provider_name: "YouTube",
        provider_url: "https://www.youtube.com/",
        thumbnail_height: 360,
        thumbnail_width: 480,
        thumbnail_url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
        html: `<iframe width="200" height="113" src="https://www.youtube.com/embed/${id}?feature=oembed"></iframe>`,
      };
    });
    app.get<{ Querystring: { url?: string } }>("/vimeo/oembed.json", async ({ query }, reply) => {
      const id = /^https:\/\/vimeo\.com\/(\d+)(\/[0-9a-f]+)?$/.exec(query.url ?? "")?.[1];
      if (!answers) return reply.code(503).type("text/html").send("Service Unavailable");
      if (!id || gone.test(id)) return reply.code(404).send({ error: "This video does not exist." });
      if (restricted.test(id)) return reply.code(403).send({ error: "Forbidden" });
      return {
        type: "video",
        version: "1.0",
        provider_name: "Vimeo",
        provider_url: "https://vimeo.com/",
        title: `Sandbox video ${id}`,
        author_name: "Sandbox",
        author_url: "https://vimeo.com/sandbox",
        html: `<iframe src="https://player.vimeo.com/video/${id}" width="480" height="270"></iframe>`,
        width: 480,
        height: 270,
        duration: 62,
        description: "",
        thumbnail_url: `https://i.vimeocdn.com/video/${id}_295x166`,
        thumbnail_width: 295,
        thumbnail_height: 166,
        upload_date: "2026-01-05 09:30:00",
        video_id: Number(id),
        uri: `/videos/${id}`,
      };
    });
    // The sandbox's own: nobody answers, until they do again.
    app.post("/answers", async ({ body }) => {
      const said = jsonOf(body);
      if (typeof said !== "boolean") throw new BadRequest("true or false");
      answers = said;
      return { answers };
    });
  };
}
