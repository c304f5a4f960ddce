import { expect, test } from "vitest";
import { parseVideoId, videoAddressOf, videoIdOf } from "#contract/video-id.ts";
import { readConfig } from "#server/context/config.ts";
import { realDescriptions } from "./inspection.ts";
import { muxToken, readMuxKey } from "./mux.ts";
import { originsOfVideos, UnplayableVideo, type VideoConfig, videoServices } from "./video.ts";

/** Made for this test with openssl, and so are the signatures below; it opens nothing. */
const muxKey =
  "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUNkd0lCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQW1Fd2dnSmRBZ0VBQW9HQkFMdENkRHE1ZktLdFZnSHMKMzk1MzdNRHpDY25lUFJYYXR4Zlk1N2grQ1g0RDhVYW4xSVBaSlFoeG94U1RiTytFSFBKcXJVTE5GRXprcGFscgpZbHJ2K0JvRHE1Tk5UaVczTEd4SUU3YzhRU1JuaDhKalVzM09EaWxIV1cyYUw1SWs4WW80b2NuM251blVQbEkyCmM5cTJuREpMbitJTldWeEgyRThzRWp0SjlKb1RBZ01CQUFFQ2dZQStKajBiTEdxd055VS9lRldJcVhhN1J5NXQKZ0VQMzErSkNtT3UzTUtXSDNGa2NvU0VJTFc1OEVmTVZKaVRXalp0cDNYdnBtdFRzL0VuN0k3ZStCTHpybXRzego0N29SWG1FcFZ1c3hLOWVhQWpSZHNpMWxzWWxIVDNGeVVwV0pIZW1RcWtVbXljUFlTdXkwSzh4dXFUeml3Ny8wClNVb3FXQ1grTmc1Y2VORWx5UUpCQVBqWVdaNkNvd0NxbnlZMWtyblJ5K1huMk9VNEhhcVNJQXNLR0dtdU91ZGEKdmhLUnRQY3VIdmp3Y29BRUdTd2ZTVFBySjNMQXJ0cmx2RHZFdnp6R3JCVUNRUURBcE13ZTQ0NEJwa2RNcmQvaApkeFNCQ0NJQThneVo1Z1hjYWcxdUZkZE16NVF2c1VjRi9RYTFLTGRaVHY3eVhCalBqTTVjdE9lNmRUOVF0bGhqCk9DK0hBa0VBcDFhZDFZa1Y0akhhdWhBV3JoeVYxL0gwR2hpRllwbkhNSVZHYTNLOXE2eUsydVBlNU1YQUVEbHAKVmdycmZvOC9ZOG1EaXBobVBVOTJLRjhqRnRTbkRRSkFFRHpUeDdhK2ZYMGFmV2dhZXRLaXM4MlBzQ3kyeXpJTQpSR3ZiL2U5eFdsUVUxWUJIMEVWbmoxV0RQcy9keFdmbDMzaXEzRDJUV3JBUFNpcFVnT2gzZVFKQkFKZHA0MmVSCkdMdjBlWU8yQWV6bnI0a3hKbngzSFlKaUZTRkJvcy90RThoRXcvUHViUnhVczlRSmh4NW1zN2NaeDFkTUdHUmcKWkkzZ3pSZFpiSXNhakdjPQotLS0tLUVORCBQUklWQVRFIEtFWS0tLS0tCg==";
const bunny = { libraryId: "759", securityKey: "bunny-key-7" };
const bunnyVideo = "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe";
const muxVideo = "mux:qIJBevaZRlLWBd";
const services = (keys: Partial<VideoConfig> = {}) =>
  videoServices({ bunny: null, mux: null, origins: [], ...keys }, realDescriptions, "https://academy.example");
const endsAt = new Date(1_800_000_000_000);
/** A lesson of ten minutes that is asked for now has an address until `endsAt`. */
const now = new Date(endsAt.getTime() - 25 * 60_000);

test("Bunny's token is the SHA-256 of key, video and end, as sha256sum computes it", () => {
  expect(services({ bunny }).sourceOf(bunnyVideo, 600, now)).toEqual({
    kind: "frame",
    url: "https://iframe.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe?token=9c50d7e3d16c03c027e8468f9bccb7d2831e844a3a8824e8db2af2f3c16696b7&expires=1800000000&autoplay=false&preload=false",
    expiresAt: endsAt,
  });
});

test("Mux's tokens are those that openssl signs, for the video and for its thumbnail", () => {
  const mux = { signingKeyId: "key-1", privateKey: readMuxKey(muxKey) };
  expect(services({ mux }).sourceOf(muxVideo, 600, now)).toEqual({
    kind: "hls",
    url: "https://stream.mux.com/qIJBevaZRlLWBd.m3u8?token=eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImtleS0xIn0.eyJzdWIiOiJxSUpCZXZhWlJsTFdCZCIsImF1ZCI6InYiLCJleHAiOjE4MDAwMDAwMDAsImtpZCI6ImtleS0xIn0.Bkey3V3WJ1THY9J4K6DhPepOvFVR9EoraBzQ1gcJk-sT5J8OCKEiVyyk_SHTKlhhQi6iTmnIi5ScDjRpOSd70Bfk9p5STH2kl7j21crDopl-p_mM7MkIJ_FTrOWqJ0rVU9pNSjLwnyHhLEHaEPPh_Kdc8CF8KCz4kIJvQG0Bu38",
    expiresAt: endsAt,
  });
  expect(muxToken(mux, "qIJBevaZRlLWBd", "t", endsAt)).toBe(
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImtleS0xIn0.eyJzdWIiOiJxSUpCZXZhWlJsTFdCZCIsImF1ZCI6InQiLCJleHAiOjE4MDAwMDAwMDAsImtpZCI6ImtleS0xIn0.CIS2nn-HySsVNjFDOnKw7DOdTEO4y7ku9oeqZhIpZC_yIMxKbRMmGNORL2OLv9MXoOlJHkRnlUSH5Ru4FvJOG-AwLKSKCRXoyRgieGga6BaOoNtCs8imzaY34FxG6aR5SYG-TpziFHYyXvwszT-MHpoCrpw1tmTAjb2-Lmcoxqo",
  );
});

test("a key in PEM is the same as one in base64", () => {
  const pem = Buffer.from(muxKey, "base64").toString();
  expect(readMuxKey(pem).equals(readMuxKey(muxKey))).toBe(true);
});

test("a service without keys is refused, naming the missing ones", () => {
  const video = services();
  expect(() => video.sourceOf(bunnyVideo, 600, now)).toThrow(/BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY/);
  expect(() => video.sourceOf(muxVideo, 600, now)).toThrow(/MUX_SIGNING_KEY_ID and MUX_SIGNING_PRIVATE_KEY/);
  expect(() => video.sourceOf("wistia:abc", 600, now)).toThrow(UnplayableVideo);
});

test("incomplete or invalid keys of a service stop the start", () => {
  expect(() => readConfig({ BUNNY_LIBRARY_ID: "759" })).toThrow(/BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY belong/);
  expect(() => readConfig({ MUX_SIGNING_KEY_ID: "key-1" })).toThrow(/MUX_SIGNING_KEY_ID and .* belong together/);
  expect(() => readConfig({ MUX_SIGNING_KEY_ID: "key-1", MUX_SIGNING_PRIVATE_KEY: "x" })).toThrow(/RSA private key/);
  expect(readConfig({ MUX_SIGNING_KEY_ID: "key-1", MUX_SIGNING_PRIVATE_KEY: muxKey }).video.mux).not.toBeNull();
});

test("the academy's own addresses of video files are origins, and no wider", () => {
  const { origins } = readConfig({ VIDEO_ORIGINS: "https://videos.example.com, https://cdn.example.com/" }).video;
  expect(origins).toEqual(["https://videos.example.com", "https://cdn.example.com"]);
  const wider = ["http://videos.example.com", "https://*.example.com", "https://videos.example.com/a", "videos"];
  for (const named of wider) {
    expect(() => readConfig({ VIDEO_ORIGINS: named }), named).toThrow(/VIDEO_ORIGINS are addresses without a path/);
  }
});

test.each([
  ["youtube:dQw4w9WgXcQ", "youtube", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
  ["vimeo:76979871", "vimeo", "https://player.vimeo.com/video/76979871"],
  ["vimeo:76979871/8272103f6e", "vimeo", "https://player.vimeo.com/video/76979871?h=8272103f6e"],
  ["file:https://media.example/a.mp4", "file", "https://media.example/a.mp4"],
  ["hls:https://media.example/a/b.m3u8?x=1", "hls", "https://media.example/a/b.m3u8?x=1"],
])("%s plays by %s", (videoId, kind, url) => {
  expect(services().sourceOf(videoId, 600, now)).toMatchObject({ kind, url });
});

test.each([
  "placeholder-video",
  "youtube:short",
  "youtube:dQw4w9WgXcQ&autoplay=1",
  "vimeo:../1",
  "file:http://media.example/a.mp4",
  "file:https://media.example/a.mp4; script-src *",
  "file:https://",
  "file:https://*.example/a.mp4",
  "hls:https://%2A/a.m3u8",
  "hls:javascript:alert(1)",
  "bunny:759/eb1c4f77",
  "mux:../secret",
  "toString:x",
  "sample:../secrets",
])("%s is no video", (videoId) => {
  expect(parseVideoId(videoId)).toBeNull();
});

const guid = "eb1c4f77-0cda-46be-b47d-1118ad7c2ffe";
test.each([
  ["dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&t=42s", "youtube:dQw4w9WgXcQ"],
  ["http://m.youtube.com/watch?feature=share&v=dQw4w9WgXcQ#t=3", "youtube:dQw4w9WgXcQ"],
  ["youtube.com/watch?v=dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  ["https://youtu.be/dQw4w9WgXcQ?si=abc", "youtube:dQw4w9WgXcQ"],
  ["https://www.youtube.com/shorts/dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  ["https://www.youtube.com/live/dQw4w9WgXcQ?feature=share", "youtube:dQw4w9WgXcQ"],
  ["//www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  ["https://music.youtube.com/watch?v=dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  ["https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
  [
    '<iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ?si=a&amp;start=3" title="x"></iframe>',
    "youtube:dQw4w9WgXcQ",
  ],
  ["https://www.youtube.com/embed/videoseries?list=PL1", null],
  ["https://www.youtube.com/@baker", null],
  ["https://vimeo.com/76979871", "vimeo:76979871"],
  ["https://vimeo.com/76979871/8272103f6e?share=copy", "vimeo:76979871/8272103f6e"],
  ["https://player.vimeo.com/video/76979871?h=8272103f6e&badge=0", "vimeo:76979871/8272103f6e"],
  ["https://vimeo.com/channels/staffpicks/76979871", "vimeo:76979871"],
  ["https://vimeo.com/showcase/123/video/76979871", "vimeo:76979871"],
  ["https://vimeo.com/manage/videos/76979871/settings", "vimeo:76979871"],
  [`https://iframe.mediadelivery.net/embed/759/${guid}?autoplay=true`, `bunny:${guid}`],
  [`https://player.mediadelivery.net/play/759/${guid}`, `bunny:${guid}`],
  [`https://vz-1a2b.b-cdn.net/${guid}/playlist.m3u8`, `bunny:${guid}`],
  ["https://stream.mux.com/qIJBevaZRlLWBd.m3u8?token=x", "mux:qIJBevaZRlLWBd"],
  ["https://player.mux.com/qIJBevaZRlLWBd", "mux:qIJBevaZRlLWBd"],
  ["https://media.example/a.MP4?x=1", "file:https://media.example/a.MP4?x=1"],
  ["https://media.example/a/b.m3u8", "hls:https://media.example/a/b.m3u8"],
  ["http://media.example/a.mp4", null],
  ["https://media.example/page", null],
  ["javascript:alert(1)//.mp4", null],
  ["https://youtube.com.example/watch?v=dQw4w9WgXcQ", null],
  ["hls:https://media.example/playlist", "hls:https://media.example/playlist"],
  ["lesson one", null],
])("%s is read as %s", (pasted, videoId) => {
  expect(videoIdOf(pasted)).toBe(videoId);
  if (videoId) expect(videoIdOf(videoAddressOf(videoId))).toBe(videoId);
});

test("the policy allows only the players of videos in use [H02]", () => {
  const nothing = { script: [], frame: [], media: [], connect: [] };
  expect(originsOfVideos(["sample:lesson-1-1", "placeholder-video"])).toEqual(nothing);
  const ids = ["youtube:dQw4w9WgXcQ", "vimeo:76979871", "vimeo:76979872", "hls:https://media.example/a.m3u8"];
  expect(originsOfVideos(ids)).toEqual({
    ...nothing,
    script: ["https://www.youtube.com"],
    frame: ["https://player.vimeo.com", "https://www.youtube-nocookie.com"],
    media: ["https://media.example"],
    connect: ["https://media.example"],
  });
  expect(originsOfVideos([bunnyVideo])).toEqual({ ...nothing, frame: ["https://iframe.mediadelivery.net"] });
});
