import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitBodyTime } from "./body-time.ts";

let server: Server;
beforeAll(async () => {
  const limits = { whole: 800, patientPath: "/uploads", window: 800, leastPerWindow: 1000 };
  server = createServer((request, response) => {
    limitBodyTime(request, response, limits);
    request.on("end", () => response.end("whole")).resume();
    request.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a body in 25 pieces of `size` bytes, one every tenth of a second; resolves to what came back. */
function send(path: string, size: number): Promise<string> {
  const pieces = 25;
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let answer = "";
    let sent = 0;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${pieces * size}\r\n\r\n`);
    const timer = setInterval(() => {
      socket.write(Buffer.alloc(size));
      if (++sent === pieces) clearInterval(timer);
    }, 100);
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

test.concurrent.each([
  ["a body that drips in", "/api/contact", 1, "HTTP/1.1 408"],
  ["a body that is only long", "/api/contact", 1000, "HTTP/1.1 408"],
  ["a file that drips in", "/uploads", 1, "HTTP/1.1 408"],
  ["a file that takes long and makes progress", "/uploads?x=1", 1000, "HTTP/1.1 200"],
])("U07 %s at %s", async (_name, path, size, answer) => {
  expect(await send(path, size)).toContain(answer);
});
