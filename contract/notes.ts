import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** The most notes of a student in one lesson. */
export const maxNotesOfLesson = 100;
export const maxNoteLength = 2000;

const NoteText = z.string().trim().max(maxNoteLength, `Use ${maxNoteLength} characters or fewer`);

export const Note = z
  .object({
    id: z.string(),
    lessonId: z.string(),
    at: z.int().describe("Seconds into the lesson"),
    text: z.string().describe("Empty: only marks the second"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Note" });
export type Note = z.infer<typeof Note>;

export const listNotes = endpoint({
  method: "GET",
  path: "/api/user/notes",
  summary: "The signed-in student's notes, in the order of the course; also of lessons that are locked by now",
  whileSeeing: "refused",
  reply: z.array(Note),
});

const NoteParams = z.object({ id: z.string().regex(/^[a-z0-9]{1,40}$/) });

export const saveNote = endpoint({
  method: "PUT",
  path: "/api/user/notes/{id}",
  summary: `Writes a note at a second of a lesson that the student may watch, at most ${maxNotesOfLesson} in one, or changes its text; repeatable`,
  params: NoteParams,
  body: z.strictObject({
    lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/),
    at: z
      .int()
      .min(0)
      .max(86_400)
      .describe("Seconds, which stay; past the end of the lesson, or where another note is, the nearest free second"),
    text: NoteText,
    replaces: NoteText.nullable().describe(
      "The text that was changed, null for a new note; 409 when another is stored",
    ),
  }),
  reply: Note,
});

export const deleteNote = endpoint({
  method: "DELETE",
  path: "/api/user/notes/{id}",
  summary: "Deletes a note; also one that is gone",
  params: NoteParams,
  reply: z.object({ success: z.literal(true) }),
});
