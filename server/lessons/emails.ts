import { href } from "#contract/addresses.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";

interface LessonOpenFacts {
  readonly lessonId: string;
  readonly title: string;
}

export const lessonOpenEmail: StudentEmail<LessonOpenFacts, object, "lesson-open"> = {
  kind: "lesson-open",
  write: ({ lessonId, title }, _reader, say) => ({
    subject: say("subject", { title }),
    heading: say("heading"),
    paragraphs: [say("open", { title })],
    link: ["Go to the lesson", `${href.dashboard()}?lesson=${lessonId}`],
  }),
};
