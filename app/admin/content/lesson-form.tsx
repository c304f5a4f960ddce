import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { type AcademyContent, draftLesson, LessonContent } from "#contract/admin/content.ts";
import { noVideo } from "#contract/video-id.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { LengthField } from "../length-field.tsx";
import { BodyField } from "./body-field.tsx";
import { captionFields, captionsOf } from "./captions/languages.ts";
import { CheckFields, settleCheck } from "./check-fields.tsx";
import { Editor } from "./editor.tsx";
import { lessonLabels } from "./labels.ts";
import { LessonFiles } from "./lesson-files.tsx";
import { TryCheck } from "./try-check.tsx";
import { VideoFields } from "./video-fields.tsx";

interface LessonFormProps {
  /** `new` creates one. */
  id: string;
  saved: Versioned<LessonContent>;
  /** Not for a new lesson, which has no files yet. */
  content?: AcademyContent;
  onSaved?: (content: AcademyContent) => void;
}

export function LessonForm({ id, saved, content, onSaved }: LessonFormProps) {
  const isNew = id === "new";
  return (
    <>
      <Editor
        title={isNew ? "New lesson" : saved.title}
        schema={LessonContent}
        name={isNew ? `lesson-new-${saved.moduleId}` : `lesson-${id}`}
        labels={lessonLabels}
        saved={saved}
        isNew={isNew}
        settle={(body) => ({ ...body, check: settleCheck(body.check) })}
        save={(body, version) => api(draftLesson, { params: { id }, query: { version }, body })}
        onSaved={onSaved}
      >
        {(form) => (
          <>
            <FormField form={form} name="title" label={lessonLabels.title} />
            <FormField form={form} name="description" label={lessonLabels.description} />
            <Field name="kind" label={lessonLabels.kind.label} error={form.faults.kind}>
              <Select
                value={form.value.kind}
                onChange={({ target }) =>
                  form.change(
                    target.value === "text"
                      ? { kind: "text", videoId: "", ...captionFields([]) }
                      : { kind: "video", videoId: saved.videoId || noVideo, ...captionFields(captionsOf(saved)) },
                  )
                }
              >
                {lessonLabels.kind.options.map(([kind, words]) => (
                  <option key={kind} value={kind}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
            {form.value.kind === "text" ? (
              <LengthField
                form={form}
                name="duration"
                empty={0}
                label="Reading time"
                hint="Minutes and seconds, such as 4:05. At least one minute."
              />
            ) : (
              <VideoFields form={form} saved={saved} lessonId={isNew ? null : id} />
            )}
            <BodyField form={form} lessonId={isNew ? null : id} />
            <CheckFields form={form} />
            <FormField form={form} name="freePreview" label={lessonLabels.freePreview} />
            <FormField form={form} name="comingSoon" label={lessonLabels.comingSoon} />
            <FormField
              form={form}
              name="opensAt"
              label={lessonLabels.opensAt}
              hint="In your time zone. Until then the lesson is coming soon. Leave empty to open it now."
            />
            <FormField form={form} name="released" label={lessonLabels.released} />
          </>
        )}
      </Editor>
      {content && <LessonFiles lessonId={id} content={content} />}
      {saved.check && <TryCheck check={saved.check} />}
    </>
  );
}
