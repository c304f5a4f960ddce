import { once } from "node:events";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface At {
  readonly url: string;
}

/** A connection for bytes that no client would send. */
export interface Connection {
  readonly socket: Socket;
  /** What came back so far. */
  answer: string;
  readonly closed: Promise<unknown>;
}

/** Opens a connection, which the other end closes, and sends these bytes. */
export async function openConnection({ url }: At, bytes = ""): Promise<Connection> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const connection: Connection = { socket, answer: "", closed };
  socket.setEncoding("latin1").on("data", (piece) => {
    connection.answer += piece;
  });
  await once(socket, "connect");
  socket.write(bytes);
  return connection;
}

/** The same many times, until the other end or the end of the test closes them. */
export async function openConnections(count: number, at: At, bytes = ""): Promise<Connection[]> {
  const connections: Connection[] = [];
  onTestFinished(() => {
    for (const { socket } of connections) socket.destroy();
  });
  // Fewer at a time than a machine keeps waiting to be accepted.
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, () => openConnection(at, bytes));
    connections.push(...(await Promise.all(some)));
  }
  return connections;
}

/** All that comes back for these bytes until the other end closes the connection. */
export async function answerTo(at: At, bytes: string): Promise<string> {
  const connection = await openConnection(at, bytes);
  await connection.closed;
  return connection.answer;
}

/** Sends a request that fetch would refuse, such as one with other headers than ASCII. */
export async function sendUnchecked(url: string | URL, { body, ...options }: RequestOptions & { body?: string } = {}) {
  const [answer] = (await once(request(url, options).end(body), "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}
