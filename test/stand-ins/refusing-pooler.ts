import { createServer } from "node:net";
import { listening } from "../listening.ts";

/** Answers each connection as PgBouncer does when a client sends settings that it does not know. */
export async function openRefusingPooler() {
  const fields = "SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0";
  const answer = Buffer.alloc(5 + fields.length);
  answer.write("E");
  answer.writeInt32BE(4 + fields.length, 1);
  answer.write(fields, 5);
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)));
  return {
    url: `postgres://academy:secret@127.0.0.1:${await listening(server)}/academy`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
