import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "#test/listening.ts";
import { openPool } from "./db.ts";

/** A message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const ready = message("Z", "I");
const done = Buffer.concat([message("C", "SELECT 0\0"), ready]);
const shutDown = message("E", "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");

/** A database that ends each connection in the packet that answers its first query. */
async function openEndingDatabase(): Promise<number> {
  const server = createServer((socket: Socket) => {
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      socket.once("data", () => socket.end(Buffer.concat([done, shutDown])));
    });
    socket.on("error", () => {});
  });
  onTestFinished(() => void server.close());
  return listening(server);
}

test("a connection that ends while it changes hands fails its next statement alone", async () => {
  const port = await openEndingDatabase();
  const pool = openPool({ connectionString: `postgres://a@127.0.0.1:${port}/a` }, () => {}, 1);
  onTestFinished(() => pool.end());
  const first = pool.query("select 1");
  const second = pool.connect();
  expect((await first).rows).toEqual([]);
  const client = await second;
  await expect(client.query("select 2")).rejects.toThrow();
  client.release();
});
