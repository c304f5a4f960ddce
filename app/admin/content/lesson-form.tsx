import { api } from "#app/api/api.ts";
import type { Versioned } from "#app/editing/editing.ts";
import { type AcademyContent, draftLesson, type LessonText } from "#contract/admin/content.ts";
import { Checkbox, Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Editor, NumberInput } from "./editor.tsx";
import { VideoFound } from "./video-found.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface LessonFormProps {
  /** `new` creates one. */
  id: string;
  saved: Versioned<LessonText>;
  onSaved?: (content: AcademyContent) => void;
}

export function LessonForm({ id, saved, onSaved }: LessonFormProps) {
  const isNew = id === "new";
  return (
    <Editor
      title={isNew ? "New lesson" : saved.title}
      name={isNew ? `lesson-new-${saved.moduleId}` : `lesson-${id}`}
      saved={saved}
      isNew={isNew}
      save={({ version, ...body }) => api(draftLesson, { params: { id }, query: { version }, body })}
      {...(onSaved && { onSaved })}
    >
      {({ value, change, errorOf }) => (
        <>
          <Field label="Title" name="title" error={errorOf("title")}>
            <Input value={value.title} maxLength={120} onChange={({ target }) => change({ title: target.value })} />
          </Field>
          <Field label="Description" name="description" error={errorOf("description")}>
            <Textarea
              rows={3}
              value={value.description}
              maxLength={1000}
              onChange={({ target }) => change({ description: target.value })}
            />
          </Field>
          <div className="grid items-end gap-5 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <Field
              label="Video"
              hint="provider:id, such as youtube:dQw4w9WgXcQ; placeholder-video while it is not produced"
              name="videoId"
              error={errorOf("videoId")}
            >
              <Input
                value={value.videoId}
                maxLength={500}
                onChange={({ target }) => change({ videoId: target.value })}
              />
            </Field>
            <Field label="Seconds" hint="0 while it is not produced" name="duration" error={errorOf("duration")}>
              <NumberInput min={0} step={1} value={value.duration} onChange={(duration) => change({ duration })} />
            </Field>
          </div>
          <VideoPreview videoId={value.videoId} />
          {!isNew && (
            <VideoFound
              videoId={saved.videoId}
              isSaved={value.videoId === saved.videoId}
              duration={value.duration}
              onUse={(duration) => change({ duration })}
            />
          )}
          <Field
            label="Captions"
            hint="WebVTT; empty: those that come with the video. The transcript is made from them."
            name="captions"
            error={errorOf("captions")}
          >
            <Textarea
              rows={5}
              spellCheck={false}
              className="font-mono text-sm"
              maxLength={200_000}
              value={value.captions ?? ""}
              onChange={({ target }) => change({ captions: target.value || null })}
            />
          </Field>
          <Checkbox
            label="Free preview: plays without a plan, on the landing page too"
            checked={value.freePreview}
            onChange={({ target }) => change({ freePreview: target.checked })}
          />
          <Checkbox
            label="Coming soon: shown, but not played"
            checked={value.comingSoon}
            onChange={({ target }) => change({ comingSoon: target.checked })}
          />
          <Checkbox
            label="Released: off, it is nowhere to be seen"
            checked={value.released}
            onChange={({ target }) => change({ released: target.checked })}
          />
        </>
      )}
    </Editor>
  );
}
