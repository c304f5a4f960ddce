import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { href } from "#contract/addresses.ts";
import { getAnswerTime } from "#contract/questions.ts";
import { formatWait } from "#ui/format/durations.ts";
import { QuestionList } from "./question-list.tsx";
import { StudentQuestions } from "./student-questions.tsx";

/** The questions of all lessons that the student may watch. */
export default function QuestionsPage() {
  return (
    <StudentQuestions returnTo={href.questions()}>
      <div className="grid max-w-[62ch] gap-2 text-ink-soft">
        <p>Questions about the lessons of your plan. To ask one, open its lesson.</p>
        <AnswerTime />
      </div>
      <QuestionList lessonId={null} />
    </StudentQuestions>
  );
}

/** Said only where it was measured. */
function AnswerTime() {
  const { data } = useQuery(queryOf(getAnswerTime));
  const seconds = data?.medianSeconds ?? null;
  return seconds !== null && <p>Half of the questions get a first answer within {formatWait(seconds)}.</p>;
}
