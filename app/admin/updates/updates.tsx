import { listLessonReviews } from "#contract/admin/lesson-reviews.ts";
import { AdminPage } from "../admin-page.tsx";
import { firstPageOf } from "../list.tsx";
import { Reviews } from "./reviews.tsx";

/** What keeps published lessons current: which of them to check again. */
export default function LessonUpdatesPage() {
  return (
    <AdminPage
      title="Lesson updates"
      description="Lessons that are due for review, for administrators."
      lead="Check each lesson from time to time, so that the course stays right."
    >
      <Reviews />
    </AdminPage>
  );
}

LessonUpdatesPage.queries = () => [firstPageOf(listLessonReviews)];
