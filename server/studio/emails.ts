import { eq } from "drizzle-orm";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { videos } from "./tables.ts";

interface Prepared {
  readonly fileName: string;
  /** Why it failed; null: it's ready. */
  readonly reason: string | null;
}

/** Goes to the team member who uploaded it, if it failed or took long. */
export const videoPreparedEmail: StudentEmail<{ readonly videoId: string }, Prepared> = {
  kind: "video-prepared",
  async prepare({ db }, { videoId }) {
    const [video] = await db.select().from(videos).where(eq(videos.id, videoId));
    if (video?.state !== "ready" && video?.state !== "failed") return null;
    return { fileName: video.fileName, reason: video.state === "failed" ? video.reason : null };
  },
  write: ({ fileName, reason }) => ({
    subject: reason === null ? `Your video ${fileName} is ready` : `We couldn’t convert your video ${fileName}`,
    paragraphs: reason === null ? ["It’s converted in all sizes. You can publish the lesson now."] : [reason],
    link: ["Open the content", "/admin/content"],
    closing: "You’re getting this email because you uploaded the video.",
  }),
};
