import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listening } from "#test/listening.ts";
import { type Inspecting, inspectFile, inspectVideo, isDescribed, NoPicture, openPicture } from "./inspection.ts";
import { NoDescription } from "./outgoing.ts";

const now = new Date(1_800_000_000_000);

/** A service at an address of its own, asked as all of them. */
async function serviceOf(answer: RequestListener, keys: Partial<Inspecting> = {}) {
  const server = createServer(answer);
  const origin = `http://127.0.0.1:${await listening(server)}`;
  const url = `${origin}/oembed`;
  const addresses = { youtube: url, vimeo: url, bunny: url, mux: `${origin}/mux` };
  const inspecting = { addresses, bunny: null, mux: null, origins: [], publicUrl: "https://academy.example", ...keys };
  return {
    origin,
    inspect: (videoId: string) => inspectVideo(videoId, inspecting, now),
    isDescribed: (videoId: string) => isDescribed(videoId, inspecting),
    openPicture: (address: string) => openPicture(address, inspecting),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a service is asked only for the video's own address, whatever the id [H12]", async () => {
  const asked: string[] = [];
  await using service = await serviceOf((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ""));
    expect(request.headers.referer).toBe("https://academy.example");
    response.setHeader("content-type", "application/json");
    const thumbnail_url = "https://i.vimeocdn.com/video/1_1280.jpg";
    response.end(JSON.stringify({ title: " A video ", duration: 61.6, html: "<iframe>", thumbnail_url }));
  });
  expect(await service.inspect("vimeo:76979871/8272103f6e")).toEqual({
    isPlayable: true,
    reason: null,
    title: "A video",
    durationSeconds: 62,
    pictureUrl: "https://i.vimeocdn.com/video/1_1280.jpg",
  });
  await service.inspect("youtube:dQw4w9WgXcQ");
  expect(asked).toEqual([
    "/oembed?url=https://vimeo.com/76979871/8272103f6e&width=1280",
    "/oembed?url=https://www.youtube.com/watch?v=dQw4w9WgXcQ&format=json",
  ]);
  for (const videoId of [
    "file:https://10.0.0.1/a.mp4",
    "hls:https://169.254.169.254/x.m3u8",
    "youtube:../../etc",
    "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
    "mux:qIJBevaZRlLWBd",
    "x:y",
  ]) {
    expect(service.isDescribed(videoId), videoId).toBe(false);
    await expect(service.inspect(videoId)).rejects.toThrow("nobody describes");
  }
  expect(asked).toHaveLength(2);
});

test("Bunny and Mux are asked with the signatures that players get, and Mux tells the length", async () => {
  const asked: URL[] = [];
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = {
    bunny: { libraryId: "759", securityKey: "bunny-key-7" },
    mux: { signingKeyId: "key-1", privateKey },
  };
  await using service = await serviceOf((request, response) => {
    asked.push(new URL(request.url ?? "", "http://service.example"));
    response.end(JSON.stringify({ title: "A video", thumbnail_url: "https://vz-1.b-cdn.net/x.jpg", duration: 78.5 }));
  }, keys);
  const bunny = await service.inspect("bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe");
  expect(bunny).toMatchObject({ isPlayable: true, pictureUrl: "https://vz-1.b-cdn.net/x.jpg" });
  expect(asked[0]?.searchParams.get("url")).toBe(
    "https://iframe.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
  );
  expect(asked[0]?.searchParams.get("token")).toMatch(/^[0-9a-f]{64}$/);
  expect(asked[0]?.searchParams.get("expires")).toBe("1800000600");

  const mux = await service.inspect("mux:qIJBevaZRlLWBd");
  expect(mux).toMatchObject({ isPlayable: true, durationSeconds: 79 });
  expect(asked[1]?.pathname).toBe("/mux/qIJBevaZRlLWBd/storyboard.json");
  const audience = (token: string | null | undefined) =>
    JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()).aud;
  expect(audience(asked[1]?.searchParams.get("token"))).toBe("s");
  const picture = new URL(mux.pictureUrl ?? "");
  expect(picture.href).toContain(`${service.origin}/mux/qIJBevaZRlLWBd/thumbnail.jpg?`);
  expect(audience(picture.searchParams.get("token"))).toBe("t");
});

/** As a file server does it, in parts alone. */
const parts =
  (file: Buffer): RequestListener =>
  (request, response) => {
    const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (Number(first) >= file.length) return response.writeHead(416).end();
    response.writeHead(206).end(file.subarray(Number(first), Number(last) + 1));
  };
const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};
const movieHeader = (units: number, duration: number) => {
  const content = Buffer.alloc(100);
  content.writeUInt32BE(units, 12);
  content.writeUInt32BE(duration, 16);
  return box("mvhd", content);
};

test("the duration of an own file is read from a few hundred bytes", async () => {
  const media = box("mdat", Buffer.alloc(3_000_000));
  const file = Buffer.concat([box("ftyp", Buffer.alloc(24)), media, box("moov", movieHeader(600, 36_900))]);
  let sent = 0;
  await using service = await serviceOf((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    sent += Number(last) - Number(first) + 1;
    parts(file)(request, response);
  });
  expect(await inspectFile(new URL(`${service.origin}/a.mp4`))).toMatchObject({
    isPlayable: true,
    durationSeconds: 62,
  });
  expect(sent).toBeLessThan(1000);
});

test.each([
  ["that is still being written", box("moov", movieHeader(600, 0))],
  ["of an unknown length", box("moov", movieHeader(600, 0xffff_ffff))],
  ["without a movie", box("ftyp", Buffer.alloc(24))],
  ["that is none", Buffer.from("<!doctype html><title>Not a video</title>")],
  ["whose boxes have no end", Buffer.alloc(4096)],
])("a file %s tells no length", async (_what, file) => {
  await using service = await serviceOf(parts(file));
  expect(await inspectFile(new URL(`${service.origin}/a.mp4`))).toMatchObject({ durationSeconds: null });
});

test("a missing or private file does not play", async () => {
  for (const [status, reason] of [
    [404, "find this file"],
    [403, "not open to everybody"],
  ] as const) {
    await using service = await serviceOf((_request, response) => response.writeHead(status).end());
    const facts = await inspectFile(new URL(`${service.origin}/a.mp4`));
    expect(facts).toMatchObject({ isPlayable: false, reason: expect.stringContaining(reason) });
  }
  await using whole = await serviceOf((_request, response) => response.end(Buffer.alloc(64)));
  await expect(inspectFile(new URL(`${whole.origin}/a.mp4`))).rejects.toThrow(NoDescription);
});

test("pictures come from the services' own hosts alone [H12]", async () => {
  await using service = await serviceOf((request, response) => {
    if (request.url === "/gone.jpg") return response.writeHead(404).end();
    if (request.url === "/elsewhere.jpg") return response.writeHead(302, { location: "/a.jpg" }).end();
    if (request.url === "/later.jpg") return response.writeHead(503).end();
    response.end("a picture");
  });
  expect((await buffer(await service.openPicture(`${service.origin}/a.jpg`))).toString()).toBe("a picture");
  for (const address of [
    "https://169.254.169.254/latest/meta-data",
    "http://i.ytimg.com/vi/x/hqdefault.jpg",
    "https://i.ytimg.com.evil.example/a.jpg",
    "https://evil.example/?https://x.b-cdn.net/a.jpg",
    "https://evilb-cdn.net/a.jpg",
    "https://i.ytimg.com:8443/a.jpg",
    "file:///etc/passwd",
    "not an address",
    `${service.origin}/gone.jpg`,
  ]) {
    await expect(service.openPicture(address), address).rejects.toThrow(NoPicture);
  }
  await expect(service.openPicture(`${service.origin}/elsewhere.jpg`)).rejects.toThrow(NoDescription);
  await expect(service.openPicture(`${service.origin}/later.jpg`)).rejects.toThrow(NoDescription);
});

test.each([
  [404, "find this video"],
  [400, "find this video"],
  [401, "does not let it play on other sites"],
  [403, "does not let it play on other sites"],
])("a service that answers %d says that the video does not play", async (status, reason) => {
  await using service = await serviceOf((_request, response) => {
    response.writeHead(status).end("No");
  });
  expect(await service.inspect("youtube:dQw4w9WgXcQ")).toMatchObject({
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
  await expect(service.inspect("vimeo:76979871")).rejects.toThrow(NoDescription);
});
