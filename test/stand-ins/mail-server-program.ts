import { appendFileSync } from "node:fs";
import { mailServer } from "./mail-server.ts";

// The mail server as its own process. Writes each accepted mail as a line to FILE before it acknowledges it.
const server = await mailServer({
  port: Number(process.env.PORT),
  onArrival: ({ headers, ...arrival }) =>
    appendFileSync(process.env.FILE ?? "", `${JSON.stringify({ ...arrival, subject: headers.get("subject") })}\n`),
});
await server.start();
