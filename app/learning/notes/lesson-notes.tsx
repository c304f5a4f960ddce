import { useState } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed } from "#ui/feedback/part.tsx";
import { BookmarkList } from "./note-list.tsx";
import { useBookmarks } from "./notes.ts";

interface LessonBookmarksProps {
  lesson: Lesson;
  /** Returns the player's position in seconds. */
  now: () => number;
}

/** The student's bookmarks in the current lesson. */
export default function LessonBookmarks({ lesson, now }: LessonBookmarksProps) {
  const bookmarks = useBookmarks();
  const { list, deleted, add } = bookmarks;
  const [fresh, setFresh] = useState<string | null>(null);
  const isEmpty = ![...(list.data ?? []), ...deleted].some(({ lessonId }) => lessonId === lesson.id);
  const [said, say] = useState("");

  function mark(): void {
    const at = Math.floor(now());
    const known = list.data?.find((one) => one.lessonId === lesson.id && one.at === at);
    say(known ? "You've already bookmarked this moment." : "");
    if (known) return;
    add.mutate({ lessonId: lesson.id, at, note: null }, { onSuccess: ({ id }) => setFresh(id) });
  }

  if (list.isError) return <PartFailed what="your bookmarks" retry={list.refetch} />;
  return (
    <section aria-labelledby="bookmarks-title" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="bookmarks-title" className="font-bold">
          Bookmarks
        </h3>
        <p role="status" className="ml-auto text-fine text-ink-soft">
          {said}
        </p>
        <Button variant="outline" size="small" disabled={!list.data} pending={add.isPending} onClick={mark}>
          Bookmark this moment
        </Button>
      </div>
      {!isEmpty && (
        <BookmarkList
          key={lesson.id}
          label="Bookmarks of this lesson"
          lessonId={lesson.id}
          bookmarks={bookmarks}
          isOpen
          fresh={fresh}
        />
      )}
    </section>
  );
}
