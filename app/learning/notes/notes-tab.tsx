import type { Module } from "#contract/catalogue.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { findLesson } from "../current-lesson.ts";
import { BookmarkList } from "./note-list.tsx";
import { useBookmarks } from "./notes.ts";

/** All bookmarks of the student, grouped by lesson. */
export default function BookmarksTab({ modules }: { modules: readonly Module[] }) {
  const bookmarks = useBookmarks();
  const { list, deleted } = bookmarks;
  const lessonIds = [...new Set([...(list.data ?? []), ...deleted].map(({ lessonId }) => lessonId))];
  return (
    <div className="grid gap-8">
      <h2 className="wide text-title">Your bookmarks</h2>
      {list.isPending ? (
        <PartLoading what="your bookmarks" />
      ) : list.isError ? (
        <PartFailed what="your bookmarks" retry={list.refetch} />
      ) : lessonIds.length === 0 ? (
        <p className="max-w-[62ch] text-ink-soft">
          No bookmarks yet. While you watch a lesson, select “Bookmark this moment” below the video. You can add a note.
        </p>
      ) : (
        lessonIds.map((lessonId) => {
          const found = findLesson(modules, lessonId);
          const title = found?.lesson.title ?? "A lesson that's no longer in the course";
          const isOpen = Boolean(found?.lesson.isUnlocked && !found.lesson.comingSoon);
          return (
            <section key={lessonId} aria-label={title} className="grid max-w-3xl gap-2">
              {found && <p className="printed text-ink-soft">Module {found.module.position}</p>}
              <h3 className="wide text-heading">{title}</h3>
              {!isOpen && (
                <p className="text-ink-soft">Your plan doesn't include this lesson. We've kept your notes.</p>
              )}
              <BookmarkList label={`Bookmarks of ${title}`} lessonId={lessonId} bookmarks={bookmarks} isOpen={isOpen} />
            </section>
          );
        })
      )}
    </div>
  );
}
