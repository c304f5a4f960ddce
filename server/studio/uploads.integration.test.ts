import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { deleteVideo, getVideo, listVideos } from "#contract/admin/studio.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";
import {
  askForOffset,
  askToUpload,
  beginUpload,
  filmLike,
  freeOffsetOf,
  offsetOf,
  openPiece,
  sendPiece,
} from "#test/uploads/tus.ts";

const { academy, administrator, test } = await academyOfFile({ VIDEO_LIMIT_MB: "100000" });

const newAdministrator = () => inRole(academy, "administrator");
const filesIn = (dataDir: string) => readdir(join(dataDir, "files", "videos"));
const isReceiving = async (id: string) =>
  (await academy.pool.query("select from videos where id = $1 and locked_by is not null", [id])).rowCount === 1;
const filesOf = async (id: string) =>
  (await academy.pool.query("select key from video_pieces where video_id = $1 order by start", [id])).rows;

test("the limits are told before an upload and hold when it begins [Z61]", async () => {
  const author = await newAdministrator();
  const { limits } = (await author.call(listVideos)).body;
  expect(limits).toMatchObject({ size: 100_000 * 1024 * 1024, unfinished: 3 });
  expect(limits.room).toBeGreaterThan(0);

  const messageTo = async (size: number) => {
    const response = await askToUpload(author, { name: "too/../Long film.mov", size });
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  expect(await messageTo(0)).toEqual([400, "“Long film.mov” is empty."]);
  expect(await messageTo(limits.size + 1)).toEqual([413, "“Long film.mov” is larger than 97.7 GB."]);
  expect(await messageTo(limits.size)).toEqual([507, expect.stringMatching(/^The server doesn’t have enough room/)]);
  const ids = [];
  for (let begun = 0; begun < 3; begun++) ids.push(await beginUpload(author, { size: 1000 }));
  expect(await messageTo(1000)).toEqual([409, expect.stringMatching(/^You have 3 unfinished uploads/)]);
  // Somebody else's are their own.
  await beginUpload(await newAdministrator(), { size: 1000 });

  expect((await author.call(deleteVideo, { params: { id: ids[0] ?? "" } })).status).toBe(200);
  const parallel = await Promise.all([1, 2, 3].map(() => askToUpload(author, { size: 1000 })));
  expect(parallel.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test("a cut connection, a piece twice and pieces in reverse leave each byte once [Z62]", async () => {
  const film = filmLike(300_000);
  // The last byte never comes, so that nothing is done with the pieces.
  const id = await beginUpload(administrator, { size: film.length + 1 });
  const cut = openPiece(administrator, id, 0, 200_000);
  await cut.write(film.subarray(0, 50_000));
  await until(() => isReceiving(id));
  cut.cut();
  // Perhaps nothing: a busy server has not read yet what the operating system has.
  const kept = await freeOffsetOf(administrator, id);
  expect(kept).toBeLessThanOrEqual(50_000);

  expect((await sendPiece(administrator, id, 200_000, film.subarray(200_000))).status).toBe(409);
  const twice = await Promise.all([1, 2].map(() => sendPiece(administrator, id, kept, film.subarray(kept, 200_000))));
  expect(twice.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect((await sendPiece(administrator, id, kept, film.subarray(kept, 200_000))).status).toBe(409);
  const last = await sendPiece(administrator, id, 200_000, film.subarray(200_000));
  expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "300000"]);
  expect((await administrator.call(getVideo, { params: { id } })).body).toMatchObject({
    state: "uploading",
    received: 300_000,
  });
  const { rows } = await academy.pool.query("select start, size from video_pieces where video_id = $1 order by 1", [
    id,
  ]);
  expect(rows.map(({ start, size }) => Number(start) + size)).toEqual(
    [kept, 200_000, 300_000].filter((end) => end > 0),
  );
});

test("a file that is whole is checked, and can no longer be continued or canceled", async () => {
  const film = filmLike(50_000);
  const id = await beginUpload(administrator, { name: "whole.mp4", size: film.length });
  expect((await sendPiece(administrator, id, 0, film)).status).toBe(204);
  expect(await offsetOf(administrator, id)).toBe(film.length);
  const { state } = (await administrator.call(getVideo, { params: { id } })).body;
  expect(state).not.toBe("uploading");
  expect([409, 413]).toContain((await sendPiece(administrator, id, film.length, film)).status);
  const { rows } = await academy.pool.query("select uploaded_at from videos where id = $1", [id]);
  expect(rows[0].uploaded_at).not.toBeNull();
});

test.each([
  ["a web page", Buffer.from("<!doctype html><title>film.mp4</title>")],
  ["a playlist", Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")],
  ["a program", Buffer.from("\x7fELF and what follows it")],
  ["less than a head", Buffer.from("ftyp")],
])("%s ends the upload with its first bytes [Z63]", async (_what, content) => {
  const id = await beginUpload(administrator, { size: content.length });
  const refused = await sendPiece(administrator, id, 0, new Uint8Array(content));
  expect([refused.status, await refused.json()]).toMatchObject([
    415,
    { code: "unsupported-media-type", message: expect.stringContaining("isn’t a video") },
  ]);
  expect((await askForOffset(administrator, id)).status).toBe(404);
  expect(await filesOf(id)).toEqual([]);
});

test("a canceled upload leaves no file, and one that nobody finishes goes after seven days", async () => {
  const author = await newAdministrator();
  const film = filmLike(10_000);
  const begin = async () => {
    const id = await beginUpload(author, { size: film.length + 1 });
    await sendPiece(author, id, 0, film);
    const [file] = await filesOf(id);
    return { id, key: String(file?.key) };
  };
  const [canceled, forgotten] = [await begin(), await begin()];
  const isStored = async (key: string) => (await filesIn(academy.dataDir)).includes(key.replace("videos/", ""));
  expect(await isStored(canceled.key)).toBe(true);
  await author.call(deleteVideo, { params: { id: canceled.id } });
  await until(async () => !(await isStored(canceled.key)));
  expect((await author.call(deleteVideo, { params: { id: canceled.id } })).status).toBe(404);

  await academy.advance("6d");
  await author.signInAgain();
  expect(await offsetOf(author, forgotten.id)).toBe(film.length);
  for (const duration of ["25h", "61m"]) await academy.advance(duration);
  await author.signInAgain();
  expect((await askForOffset(author, forgotten.id)).status).toBe(404);
  await until(async () => !(await isStored(forgotten.key)));
});

test("what isn't tus, and pieces that are too large, are refused in words", async () => {
  const author = await newAdministrator();
  const id = await beginUpload(author, { size: 1000 });
  const film = filmLike(1000);
  const statusOf = async (headers: Record<string, string | null>, body = film) => {
    const all = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    const response = await author.send("PATCH", `/api/admin/videos/${id}`, body, { ...all, ...headers });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    return response.status;
  };
  expect(await statusOf({ "tus-resumable": null })).toBe(400);
  expect(await statusOf({ "upload-offset": null })).toBe(400);
  expect(await statusOf({ "upload-offset": "-1" })).toBe(400);
  expect(await statusOf({ "content-type": "application/json" })).toBe(400);
  expect(await statusOf({ "content-type": "video/mp4" })).toBe(415);
  expect(await statusOf({}, filmLike(1001))).toBe(413);
  expect(await statusOf({}, filmLike(33 * 1024 * 1024))).toBe(413);
  expect(await statusOf({ origin: "https://elsewhere.example" })).toBe(403);
  expect(await offsetOf(author, id)).toBe(0);
});
