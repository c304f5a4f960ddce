import Fastify from "fastify";
import { refuseDemo } from "#server/context/demo-exposure.ts";
import { requireKnownHost } from "#server/http/known-hosts.ts";
import { openSandbox } from "./sandbox.ts";

const { env } = process;
const port = Number(env.PORT || 4000);
const host = env.HOST?.trim() || "127.0.0.1";
const isPublic = env.DEMO_IS_PUBLIC === "yes";
const url = isPublic && env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : `http://localhost:${port}`;

const refused = [
  ...(env.MODE === "production" ? ["MODE is production, where there is no sandbox: nothing in it is real."] : []),
  ...refuseDemo({
    host,
    publicUrl: env.PUBLIC_URL,
    isPublic,
    gatewayEnvironment: env.AUTHORIZE_NET_ENVIRONMENT,
    gatewayAddresses: [env.AUTHORIZE_NET_API_URL, env.AUTHORIZE_NET_SCRIPT_URL],
  }),
];
if (refused.length > 0) {
  console.error(refused.join("\n"));
  process.exit(1);
}

const app = Fastify({
  logger: { level: env.LOG_LEVEL || "warn" },
  // Closes open streams and delayed replies, which would keep the server from closing.
  forceCloseConnections: true,
});
requireKnownHost(app, { publicUrl: url, host, port });
const sandbox = await openSandbox({
  dataDir: env.DATA_DIR || "./data/sandbox",
  url,
  academyUrl: env.ACADEMY_URL || "http://localhost:3000",
});
await app.register(sandbox.routes, { prefix: "/sandbox" });
app.get("/", async (_request, reply) => reply.redirect("/sandbox"));
await app.listen({ port, host });
console.log(`Sandbox is ready: ${url}/sandbox`);

let closing: Promise<void> | undefined;
async function stop(): Promise<void> {
  closing ??= app.close().then(() => sandbox.close());
  await closing;
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
