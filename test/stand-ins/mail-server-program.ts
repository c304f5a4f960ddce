import { appendFileSync } from "node:fs";
import { mailServer } from "./mail-server.ts";

// The mail server in a process of its own: what it accepts stands in FILE, a line for each mail, before it says so.
const server = await mailServer({
  port: Number(process.env.PORT),
  onArrival: ({ headers, ...arrival }) =>
    appendFileSync(process.env.FILE ?? "", `${JSON.stringify({ ...arrival, subject: headers.get("subject") })}\n`),
});
await server.start();
