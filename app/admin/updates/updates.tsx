import { listLessonChanges } from "#contract/admin/lesson-changes.ts";
import { listLessonReviews } from "#contract/admin/lesson-reviews.ts";
import { AdminPage } from "../admin-page.tsx";
import { firstPageOf } from "../list.tsx";
import { Changes } from "./changes.tsx";
import { Reviews } from "./reviews.tsx";

/** What keeps published lessons current: which of them to check again, and what students read about changes. */
export default function LessonUpdatesPage() {
  return (
    <AdminPage
      title="Lesson updates"
      description="Lessons that are due for review, and what changed in others, for administrators."
      lead="Students see when you last checked a lesson, and what changed since they watched it."
    >
      <div className="grid grid-cols-1 gap-6">
        <Reviews />
        <Changes />
      </div>
    </AdminPage>
  );
}

LessonUpdatesPage.queries = () => [firstPageOf(listLessonReviews), firstPageOf(listLessonChanges)];
