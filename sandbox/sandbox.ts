import type { FastifyError, FastifyPluginAsync } from "fastify";
import type { Clock } from "#server/base/clock.ts";
import { apiRoutes } from "./api.ts";
import { type SandboxClock, sandboxClock } from "./clock.ts";
import type { SandboxAddresses } from "./follow.ts";
import { merchant } from "./gateway/gateway.ts";
import { gatewayRoutes } from "./gateway/routes.ts";
import { openMailbox } from "./mailbox.ts";
import { pageRoutes } from "./page/page.ts";
import { openStore, type Store } from "./store.ts";
import { videoRoutes } from "./video.ts";

/**
 * The external services on this machine: a card gateway, a mailbox, a clock and video descriptions, each on its real
 * protocol.
 */
export interface Sandbox {
  /** Register them with the prefix "/sandbox". */
  readonly routes: FastifyPluginAsync;
  readonly clock: Clock;
  readonly smtpUrl: string;
  readonly gateway: SandboxAddresses["gateway"];
  readonly video: SandboxAddresses["video"];
  /** Stops the mailbox and releases the folder. Close the server of the routes first. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Opens a sandbox with its stored data.
 * @param options.dataDir its folder, created if absent. Two sandboxes never share one.
 * @param options.url the origin at which browsers reach the routes, without a trailing slash.
 * @param options.academyUrl the target of webhooks. Null sends none.
 * @throws Error with a sentence when another process uses the folder.
 */
export async function openSandbox(options: {
  dataDir: string;
  url: string;
  academyUrl: string | null;
}): Promise<Sandbox> {
  const store = openStore(options.dataDir);
  const clock = sandboxClock(store);
  const mailbox = await openMailbox(store, clock).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const gateway = {
    environment: "demo" as const,
    apiUrl: `${options.url}/sandbox/gateway/xml/v1/request.api`,
    scriptUrl: `${options.url}/sandbox/gateway/v1/Accept.js`,
    ...merchant,
  };
  const video = {
    youtube: `${options.url}/sandbox/video/youtube/oembed`,
    vimeo: `${options.url}/sandbox/video/vimeo/oembed.json`,
    bunny: `${options.url}/sandbox/video/bunny/OEmbed`,
    mux: `${options.url}/sandbox/video/mux`,
  };
  const addresses = { smtpUrl: mailbox.smtpUrl, gateway, video };

  return {
    routes: sandboxRoutes(store, clock, addresses, options.academyUrl),
    clock: { now: clock.now, onMove: clock.onMove, jumps: true },
    ...addresses,
    async close() {
      await mailbox.close();
      store.close();
    },
  };
}

function sandboxRoutes(
  store: Store,
  clock: SandboxClock,
  addresses: SandboxAddresses,
  academyUrl: string | null,
): FastifyPluginAsync {
  return async (app) => {
    // Reads bodies as text, since the gateway answers malformed JSON itself, and ignores the parsers of the outer
    // server.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error(error, "the sandbox failed");
      return reply
        .code(status)
        .send({ message: status >= 500 ? "The sandbox failed; its log says why." : error.message });
    });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: "The sandbox has nothing here." }));
    // Keeps these routes out of the academy's API document.
    app.addHook("onRoute", (route) => {
      route.schema = { ...route.schema, ...{ hide: true } };
    });
    await app.register(gatewayRoutes(store, clock), { prefix: "/gateway" });
    await app.register(videoRoutes(), { prefix: "/video" });
    await app.register(apiRoutes({ store, clock, addresses, academyUrl }), { prefix: "/api" });
    await app.register(pageRoutes(store, clock, academyUrl));
  };
}
