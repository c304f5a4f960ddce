import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describeContent } from "#server/catalogue/content.ts";
import { draftContent } from "#server/catalogue/drafting.ts";
import { newId } from "#server/db/id.ts";
import type { User } from "#server/identity/users.ts";
import { beginUpload, receivePiece } from "#server/studio/uploads.ts";
import type { Context } from "./context/context.ts";

/** Ten seconds, made by ffmpeg of slides like those of scripts/make/samples.ts. */
const film = fileURLToPath(new URL("../content/films/buying-list.mp4", import.meta.url));
const lessonId = "lesson-4-1";

/**
 * Uploads a film as an owner would, for the draft of a lesson that has no video yet. It is converted after the start,
 * so that a newcomer sees how it works.
 */
export async function seedFilm(ctx: Context, owner: User): Promise<void> {
  const lesson = (await describeContent(ctx.db)).lessons.find(({ id }) => id === lessonId);
  if (!lesson?.published || lesson.draft) return;
  const id = newId();
  await beginUpload(ctx, owner.id, { id, fileName: basename(film), size: (await stat(film)).size });
  await receivePiece(ctx, { videoId: id, start: 0, lockNumber: 0 }, createReadStream(film));
  const text = { ...lesson.published, videoId: `own:${id}` };
  await draftContent(ctx, owner, { kind: "lesson", id: lessonId, text, version: lesson.version });
}
