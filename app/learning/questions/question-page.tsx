import { Link, useParams } from "react-router";
import { href } from "#contract/addresses.ts";
import { StudentQuestions } from "./student-questions.tsx";
import { Thread } from "./thread.tsx";

/** One question, to which emails and the search lead. */
export default function QuestionPage() {
  const { id = "" } = useParams();
  return (
    <StudentQuestions returnTo={href.question(id)}>
      <Thread key={id} id={id} onWatch={undefined} hasTitle />
      <p>
        <Link to={href.questions()} className="font-semibold underline underline-offset-4">
          All questions
        </Link>
      </p>
    </StudentQuestions>
  );
}
