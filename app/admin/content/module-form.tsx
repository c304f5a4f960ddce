import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { type AcademyContent, draftModule, ModuleContent } from "#contract/admin/content.ts";
import { noVideo, parseVideoId } from "#contract/video-id.ts";
import { UploadedOrNew } from "../studio/uploaded-or-new.tsx";
import { Editor } from "./editor.tsx";
import { moduleLabels } from "./labels.ts";
import { VideoFound } from "./video-found.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface ModuleFormProps {
  /** `new` creates one. */
  id: string;
  saved: Versioned<ModuleContent>;
  onSaved?: (content: AcademyContent) => void;
}

export function ModuleForm({ id, saved, onSaved }: ModuleFormProps) {
  const isNew = id === "new";
  return (
    <Editor
      title={isNew ? "New module" : saved.title}
      schema={ModuleContent}
      name={`module-${id}`}
      labels={moduleLabels}
      saved={saved}
      isNew={isNew}
      save={(body, version) => api(draftModule, { params: { id }, query: { version }, body })}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <FormField form={form} name="title" label={moduleLabels.title} />
          <FormField form={form} name="description" label={moduleLabels.description} />
          <FormField
            form={form}
            name="requiredTier"
            {...moduleLabels.requiredTier}
            hint="Higher plans include it too."
          />
          <UploadedOrNew
            videoId={form.value.introVideo ?? ""}
            label="Upload an introduction"
            place={`introduction of ${id}`}
            onChange={(videoId) => form.change({ introVideo: videoId === noVideo ? null : videoId })}
          >
            <FormField
              form={form}
              name="introVideo"
              label={moduleLabels.introVideo.label}
              hint="It plays before the first lesson. Or paste its address. Leave empty for none."
              rows={1}
            />
          </UploadedOrNew>
          <VideoPreview videoId={form.value.introVideo ?? ""} />
          {!isNew && saved.introVideo !== null && !isUpload(form.value.introVideo) && (
            <VideoFound videoId={saved.introVideo} isSaved={form.value.introVideo === saved.introVideo} />
          )}
          <FormField form={form} name="comingSoon" label={moduleLabels.comingSoon} />
          <FormField
            form={form}
            name="opensAt"
            label={moduleLabels.opensAt}
            hint="In your time zone. Until then its lessons are coming soon. Leave empty to open it now."
          />
          <FormField form={form} name="released" label={moduleLabels.released} />
        </>
      )}
    </Editor>
  );
}

const isUpload = (videoId: string | null) => parseVideoId(videoId ?? "")?.provider === "own";
