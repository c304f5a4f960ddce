import { Agent, request as ask, type IncomingMessage } from "node:http";
import type { FastifyPluginAsync } from "fastify";

/** Hop-by-hop headers, which must not be forwarded. */
const ofTheConnection = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Forwards requests to the sandbox at `origin`, for the workers of an academy. Register it with the prefix
 * "/sandbox".
 */
export function forwardToSandbox(origin: string): FastifyPluginAsync {
  return async (app) => {
    const agent = new Agent({ keepAlive: true });
    app.addHook("onClose", async () => agent.destroy());
    // Streams bodies.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const url of ["/", "/*"]) {
      app.all(url, { schema: { hide: true } as object }, async ({ raw }, reply) => {
        const answer = await passOn(raw, origin, agent).catch(() => null);
        if (!answer) return reply.code(502).send({ message: "The sandbox does not answer." });
        reply.raw.once("close", () => answer.destroy());
        const headers = Object.entries(answer.headers).filter(([name]) => !ofTheConnection.includes(name));
        return reply
          .code(answer.statusCode ?? 502)
          .headers(Object.fromEntries(headers))
          .send(answer);
      });
    }
  };
}

function passOn(request: IncomingMessage, origin: string, agent: Agent): Promise<IncomingMessage> {
  const { method, url, headers } = request;
  return new Promise((resolve, reject) => {
    const passed = ask(`${origin}${url}`, { method, agent, headers: { ...headers, host: new URL(origin).host } });
    passed.on("response", resolve).on("error", reject);
    request.on("error", reject).pipe(passed);
  });
}
