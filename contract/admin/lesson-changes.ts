import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { ChangeKind, ChangeText } from "../lesson-changes.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";

export const LessonChange = z
  .object({
    ...ChangeText.shape,
    id: z.string(),
    lessonId: z.string(),
    title: z.string().describe("Of the lesson, now"),
    at: z.iso.datetime(),
    kind: ChangeKind,
    isPublic: z.boolean().describe("False while its lesson is hidden or not open yet"),
  })
  .meta({ id: "LessonChange" });
export type LessonChange = z.infer<typeof LessonChange>;

const path = "/api/admin/lesson-changes";

export const listLessonChanges = endpoint({
  method: "GET",
  path,
  summary: "What changed in published lessons, the newest first, a page of them",
  permission: "content:write",
  query: z.strictObject(paging),
  reply: pageOf(LessonChange),
});

export const editLessonChange = endpoint({
  method: "PUT",
  path: `${path}/{id}`,
  summary: "Corrects the note of a change, or its part of the lesson; its date stays",
  permission: "content:write",
  withoutFreshSignIn: "Changes one note, and is logged",
  params: z.object({ id: recordId }),
  body: ChangeText,
  reply: Done,
});

export const deleteLessonChange = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Deletes a change, which students then no longer see; its lesson stays as it is",
  permission: "content:write",
  withoutFreshSignIn: "Deletes one note, which is logged",
  params: z.object({ id: recordId }),
  body: z.strictObject({}).nullish(),
  reply: Done,
});
