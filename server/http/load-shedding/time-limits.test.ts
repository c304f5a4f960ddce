import { type AddressInfo, connect, type Socket } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { stopServing } from "../drain.ts";
import { limitAnswerTime } from "./time-limits.ts";

/** A server that never answers, and its end of the connection of a client that has sent a request. */
async function silentRequest(isUpload: boolean) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const app = Fastify();
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
    vi.useRealTimers();
  });
  limitAnswerTime(app, () => isUpload);
  const arrived = Promise.withResolvers<Socket>();
  app.get("/silent", ({ raw }) => {
    arrived.resolve(raw.socket);
    return new Promise(() => {});
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET /silent HTTP/1.1\r\nHost: academy.test\r\n\r\n");
  return { app, socket: await arrived.promise };
}

test("a request whose answer has not begun after 55 seconds is closed", async () => {
  const { socket } = await silentRequest(false);
  vi.advanceTimersByTime(54_999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
});

test("a stop closes connections that are still open after eight seconds", async () => {
  const { app, socket } = await silentRequest(true);
  const stopped = stopServing(app, { isBehindProxy: false });
  vi.advanceTimersByTime(7_999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
  await stopped;
});
