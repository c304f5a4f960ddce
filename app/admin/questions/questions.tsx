import { queryOf } from "#app/api/query.ts";
import { countAdminQuestions, listAdminQuestions } from "#contract/admin/questions.ts";
import { AdminPage } from "../admin-page.tsx";
import { firstPageOf } from "../list.tsx";
import { QuestionQueue } from "./question-queue.tsx";

export default function QuestionsPage() {
  return (
    <AdminPage
      title="Questions"
      description="What students asked under the lessons, for the team."
      lead="What students asked under the lessons. Unanswered questions come first, the oldest at the top."
    >
      <QuestionQueue />
    </AdminPage>
  );
}

QuestionsPage.queries = () => [firstPageOf(listAdminQuestions), queryOf(countAdminQuestions, { query: {} })];
