import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { inspectVideo, isDescribed, NoDescription } from "./inspection.ts";

/** A service at an address of its own, asked as YouTube and as Vimeo. */
async function serviceOf(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/oembed`;
  return {
    addresses: { youtube: url, vimeo: url },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a service is asked for the page of its video and nothing else, by an id that can name no other [H12]", async () => {
  const asked: string[] = [];
  await using service = await serviceOf((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ""));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ title: " A video ", duration: 61.6, html: "<iframe>" }));
  });
  expect(await inspectVideo("vimeo:76979871/8272103f6e", service.addresses)).toEqual({
    isPlayable: true,
    reason: null,
    title: "A video",
    durationSeconds: 62,
  });
  await inspectVideo("youtube:dQw4w9WgXcQ", service.addresses);
  expect(asked).toEqual([
    "/oembed?url=https://vimeo.com/76979871/8272103f6e",
    "/oembed?url=https://www.youtube.com/watch?v=dQw4w9WgXcQ&format=json",
  ]);
  for (const videoId of [
    "file:https://10.0.0.1/a.mp4",
    "hls:https://169.254.169.254/x.m3u8",
    "youtube:../../etc",
    "x:y",
  ]) {
    expect(isDescribed(videoId)).toBe(false);
    await expect(inspectVideo(videoId, service.addresses)).rejects.toThrow("nobody describes");
  }
  expect(asked).toHaveLength(2);
});

test.each([
  [404, "no such video"],
  [400, "no such video"],
  [401, "does not let it play on other sites"],
  [403, "does not let it play on other sites"],
])("a service that answers %d says that the video does not play", async (status, reason) => {
  await using service = await serviceOf((_request, response) => {
    response.writeHead(status).end("No");
  });
  expect(await inspectVideo("youtube:dQw4w9WgXcQ", service.addresses)).toMatchObject({
    isPlayable: false,
    reason: expect.stringContaining(reason),
  });
});

const elsewhere: RequestListener = (request, response) => {
  if (request.url?.startsWith("/inside")) response.end(JSON.stringify({ title: "A secret of the network" }));
  else response.writeHead(302, { location: "/inside" }).end();
};
const endless: RequestListener = (_request, response) => {
  const chunk = "x".repeat(16_384);
  const more = () => {
    while (response.write(chunk));
    response.once("drain", more);
  };
  more();
};
test.each<[string, RequestListener]>([
  ["leads elsewhere", elsewhere],
  ["does not end", endless],
  ["is no JSON", (_request, response) => response.end("<html>")],
  ["is another's JSON", (_request, response) => response.end(JSON.stringify({ title: { of: "something" } }))],
  ["is a failure", (_request, response) => response.writeHead(503).end()],
  ["is that it was asked too often", (_request, response) => response.writeHead(429).end()],
  ["breaks off", (request) => request.socket.destroy()],
])("an answer that %s tells nothing, and another may come [H12]", async (_what, answer) => {
  await using service = await serviceOf(answer);
  await expect(inspectVideo("vimeo:76979871", service.addresses)).rejects.toThrow(NoDescription);
});
