import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { discardDrafts } from "#contract/admin/content.ts";
import { deleteVideo, listVideos } from "#contract/admin/studio.ts";
import { draft } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import { addUploadedVideo } from "#test/uploaded-video.ts";

const { academy, administrator, test } = await academyOfFile();

const listed = async () => (await administrator.call(listVideos)).body.videos;
const find = async (id: string) => (await listed()).find((one) => one.id === id);
const remove = (id: string) => administrator.call(deleteVideo, { params: { id } });
const filesLeft = async () => (await readdir(join(academy.dataDir, "files/videos"))).length;

test("a video is deleted only when nothing uses it, by hand or after thirty days", async () => {
  const shown = await addUploadedVideo(academy, { lessonId: "lesson-1-1" });
  const earlier = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  const drafted = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  const recorded = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  const unused = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  await academy.pool.query("update lessons set video_id = 'sample:lesson-1-2' where id = 'lesson-1-2'");
  await academy.pool.query("update modules set intro_video = $1 where id = 'module-2'", [recorded.videoId]);
  await draft(administrator, "lessons", "lesson-1-3", { videoId: drafted.videoId });

  expect((await remove(shown.id)).body).toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/^“lesson\.mov” is used by the lesson “.+”\. Choose another video there first\.$/),
  });
  expect((await remove(drafted.id)).body).toMatchObject({ message: expect.stringContaining("is used by a draft.") });
  expect(await find(recorded.id)).toMatchObject({
    usedBy: expect.stringMatching(/^the introduction of “/),
    deletesAt: null,
  });
  expect((await remove(unused.id)).body).toEqual({ message: "Video deleted" });
  await until(async () => (await filesLeft()) === 8);

  await academy.advance("1h");
  const { deletesAt } = (await find(earlier.id)) ?? {};
  await academy.advance("1d");
  await administrator.signInAgain();
  expect(await find(earlier.id)).toMatchObject({ usedBy: null, deletesAt });
  expect(Date.parse(String(deletesAt))).toBeGreaterThan(Date.now() + 29 * 86_400_000);

  await academy.advance("28d");
  await administrator.signInAgain();
  // Thirty days begin anew when a draft lets go of it.
  await administrator.call(discardDrafts, { body: {} });
  for (const duration of ["2d", "1h"]) await academy.advance(duration);
  await administrator.signInAgain();
  expect((await listed()).map(({ id }) => id).toSorted()).toEqual([shown.id, drafted.id, recorded.id].toSorted());
  await until(async () => (await filesLeft()) === 6);
});
