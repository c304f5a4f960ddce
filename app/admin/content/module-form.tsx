import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { type AcademyContent, draftModule, ModuleContent } from "#contract/admin/content.ts";
import { academy } from "#ui/academy.ts";
import { Editor } from "./editor.tsx";
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
      saved={saved}
      isNew={isNew}
      save={(body, version) => api(draftModule, { params: { id }, query: { version }, body })}
      onSaved={onSaved}
    >
      {(form) => (
        <>
          <FormField form={form} name="title" label="Title" />
          <FormField form={form} name="description" label="Description" />
          <FormField
            form={form}
            name="requiredTier"
            label="Plan that opens it"
            hint="Higher plans open it too."
            options={Object.entries(academy().planNames)}
          />
          <FormField
            form={form}
            name="introVideo"
            label="Introduction"
            hint="Paste the address of a video that plays before the first lesson. Leave empty for none."
            rows={1}
          />
          <VideoPreview videoId={form.value.introVideo ?? ""} />
          {!isNew && saved.introVideo !== null && (
            <VideoFound videoId={saved.introVideo} isSaved={form.value.introVideo === saved.introVideo} />
          )}
          <FormField form={form} name="comingSoon" label="Coming soon" />
          <FormField
            form={form}
            name="opensAt"
            label="Opens"
            hint="In your time zone. Until then its lessons are coming soon. Leave empty to open it now."
          />
          <FormField form={form} name="released" label="Visible to students, with its lessons" />
        </>
      )}
    </Editor>
  );
}
