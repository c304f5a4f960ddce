import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf, Versioned } from "#app/editing/use-form-of.ts";
import { type AcademyContent, draftLesson, LessonText } from "#contract/admin/content.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { BodyField } from "./body-field.tsx";
import { CheckFields, settleCheck } from "./check-fields.tsx";
import { Editor } from "./editor.tsx";
import { VideoFound } from "./video-found.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface LessonFormProps {
  /** `new` creates one. */
  id: string;
  saved: Versioned<LessonText>;
  onSaved?: (content: AcademyContent) => void;
}

interface VideoFieldsProps {
  form: FormOf<LessonText>;
  saved: Versioned<LessonText>;
  isNew: boolean;
}

function VideoFields({ form, saved, isNew }: VideoFieldsProps) {
  return (
    <>
      <div className="grid items-end gap-5 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <FormField
          form={form}
          name="videoId"
          label="Video"
          hint="provider:id, such as youtube:dQw4w9WgXcQ, or placeholder-video until it is produced"
          rows={1}
        />
        <FormField form={form} name="duration" label="Seconds" hint="0 until it is produced" />
      </div>
      <VideoPreview videoId={form.value.videoId} />
      {!isNew && saved.kind === "video" && (
        <VideoFound
          videoId={saved.videoId}
          isSaved={form.value.videoId === saved.videoId}
          duration={form.value.duration}
          onUse={(duration) => form.change({ duration })}
        />
      )}
      <FormField
        form={form}
        name="captions"
        label="Captions"
        hint="In WebVTT. We make the transcript from them. Leave empty to use those that come with the video."
        rows={5}
        spellCheck={false}
        controlClass="font-mono text-sm"
      />
    </>
  );
}

export function LessonForm({ id, saved, onSaved }: LessonFormProps) {
  const isNew = id === "new";
  return (
    <Editor
      title={isNew ? "New lesson" : saved.title}
      schema={LessonText}
      name={isNew ? `lesson-new-${saved.moduleId}` : `lesson-${id}`}
      saved={saved}
      isNew={isNew}
      settle={(body) => ({ ...body, check: settleCheck(body.check) })}
      save={(body, version) => api(draftLesson, { params: { id }, query: { version }, body })}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <FormField form={form} name="title" label="Title" />
          <FormField form={form} name="description" label="Description" />
          <Field name="kind" label="Kind" error={form.faults.kind}>
            <Select
              value={form.value.kind}
              onChange={({ target }) =>
                form.change(
                  target.value === "text"
                    ? { kind: "text", videoId: "", captions: null }
                    : { kind: "video", videoId: saved.videoId || "placeholder-video", captions: saved.captions },
                )
              }
            >
              <option value="video">Video</option>
              <option value="text">Text, which students complete with a button</option>
            </Select>
          </Field>
          {form.value.kind === "text" ? (
            <FormField form={form} name="duration" label="Reading time" hint="In seconds, at least 60" />
          ) : (
            <VideoFields form={form} saved={saved} isNew={isNew} />
          )}
          <BodyField form={form} lessonId={isNew ? null : id} />
          <CheckFields form={form} />
          <FormField
            form={form}
            name="freePreview"
            label="Free preview: plays without a plan, also on the landing page"
          />
          <FormField form={form} name="comingSoon" label="Coming soon: listed, but doesn’t play yet" />
          <FormField
            form={form}
            name="opensAt"
            label="Opens"
            hint="In your time zone. Until then the lesson is coming soon. Leave empty to open it now."
          />
          <FormField form={form} name="released" label="Visible to students" />
        </>
      )}
    </Editor>
  );
}
