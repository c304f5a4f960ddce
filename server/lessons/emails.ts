import { href } from "#contract/addresses.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";

interface LessonOpenFacts {
  readonly lessonId: string;
  readonly title: string;
}

export const lessonOpenEmail: StudentEmail<LessonOpenFacts> = {
  kind: "lesson-open",
  write: ({ lessonId, title }) => ({
    subject: `${title} is open`,
    heading: "Your lesson is open",
    paragraphs: [`You asked us to tell you when “${title}” opens. You can start it now.`],
    link: ["Go to the lesson", `${href.dashboard()}?lesson=${lessonId}`],
  }),
};
