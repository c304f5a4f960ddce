import Fastify from "fastify";
import { openSandbox } from "./sandbox.ts";

const port = Number(process.env.PORT || 4000);
const host = process.env.HOST || "127.0.0.1";
const url = `http://localhost:${port}`;

const app = Fastify({
  logger: { level: process.env.LOG_LEVEL || "warn" },
  // A page that follows the clock or a staged time-out must not hold the end up.
  forceCloseConnections: true,
});
const sandbox = await openSandbox({
  dataDir: process.env.DATA_DIR || "./data/sandbox",
  url,
  academyUrl: process.env.ACADEMY_URL || "http://localhost:3000",
  stylesheet: null,
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
