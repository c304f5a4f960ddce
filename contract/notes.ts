import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** The most bookmarks of one lesson. */
export const maxBookmarks = 100;
export const maxNoteLength = 200;

const Note = z
  .string()
  .trim()
  .max(maxNoteLength, `Use ${maxNoteLength} characters or fewer`)
  .nullable()
  .describe("In the student's own words; null, or empty: none");

export const Bookmark = z
  .object({
    id: z.string(),
    lessonId: z.string(),
    at: z.int().describe("Seconds into the lesson"),
    note: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Bookmark" });
export type Bookmark = z.infer<typeof Bookmark>;

export const listBookmarks = endpoint({
  method: "GET",
  path: "/api/user/bookmarks",
  summary: "The signed-in student's bookmarks, in the order of the course; also of lessons that are locked by now",
  reply: z.array(Bookmark),
});

export const addBookmark = endpoint({
  method: "POST",
  path: "/api/user/bookmarks",
  summary: `Marks a second of a lesson that the student may watch, at most ${maxBookmarks} in one; repeatable: a second has one bookmark, with the note said last`,
  body: z.strictObject({
    lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/),
    at: z.int().min(0).max(86_400).describe("Seconds; past the end of the lesson its end is meant"),
    note: Note,
  }),
  reply: Bookmark,
});

const BookmarkParams = z.object({ id: z.string().regex(/^[a-z0-9]{1,40}$/) });

export const editBookmark = endpoint({
  method: "PUT",
  path: "/api/user/bookmarks/{id}",
  summary: "Changes the note of a bookmark",
  params: BookmarkParams,
  body: z.strictObject({ note: Note }),
  reply: Bookmark,
});

export const removeBookmark = endpoint({
  method: "DELETE",
  path: "/api/user/bookmarks/{id}",
  summary: "Deletes a bookmark; also one that is gone",
  params: BookmarkParams,
  reply: z.object({ success: z.literal(true) }),
});
