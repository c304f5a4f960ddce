import { api } from "#app/api/api.ts";
import type { Versioned } from "#app/editing/editing.ts";
import { type AcademyContent, draftModule, type ModuleText } from "#contract/admin/content.ts";
import { type Tier, tierLabels, tiers } from "#contract/tiers.ts";
import { Checkbox, Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import { Editor } from "./editor.tsx";
import { VideoFound } from "./video-found.tsx";
import { VideoPreview } from "./video-preview.tsx";

interface ModuleFormProps {
  /** `new` creates one. */
  id: string;
  saved: Versioned<ModuleText>;
  onSaved?: (content: AcademyContent) => void;
}

export function ModuleForm({ id, saved, onSaved }: ModuleFormProps) {
  const isNew = id === "new";
  return (
    <Editor
      title={isNew ? "New module" : saved.title}
      name={`module-${id}`}
      saved={saved}
      isNew={isNew}
      save={({ version, ...body }) => api(draftModule, { params: { id }, query: { version }, body })}
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
          <Field
            label="Plan that opens it"
            hint="And every plan above."
            name="requiredTier"
            error={errorOf("requiredTier")}
          >
            <Select
              value={value.requiredTier}
              onChange={({ target }) => change({ requiredTier: target.value as Tier })}
            >
              {tiers.map((tier) => (
                <option key={tier} value={tier}>
                  {tierLabels[tier]}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label="Introduction"
            hint="A video that plays before the first lesson: provider:id, such as youtube:dQw4w9WgXcQ. Empty: none."
            name="introVideo"
            error={errorOf("introVideo")}
          >
            <Input
              value={value.introVideo ?? ""}
              maxLength={500}
              onChange={({ target }) => change({ introVideo: target.value.trim() || null })}
            />
          </Field>
          <VideoPreview videoId={value.introVideo ?? ""} />
          {!isNew && saved.introVideo !== null && (
            <VideoFound videoId={saved.introVideo} isSaved={value.introVideo === saved.introVideo} />
          )}
          <Checkbox
            label="Coming soon"
            checked={value.comingSoon}
            onChange={({ target }) => change({ comingSoon: target.checked })}
          />
          <Checkbox
            label="Released: off, the module and its lessons are nowhere to be seen"
            checked={value.released}
            onChange={({ target }) => change({ released: target.checked })}
          />
        </>
      )}
    </Editor>
  );
}
