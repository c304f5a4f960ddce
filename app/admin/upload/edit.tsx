import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import type { Versioned } from "#app/editing/editing.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import { type Resource, updateResource } from "#contract/resources.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { toast } from "#ui/toast/toast.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { DetailFields, type DetailValues, isComplete } from "./details.tsx";
import type { ModuleChoice } from "./modules.ts";

interface UploadEditProps {
  resource: Resource;
  /** Somebody has deleted the resource since it was opened. */
  isGone: boolean;
  modules: readonly ModuleChoice[];
  onClose: () => void;
}

/** Edits a resource's details. This browser keeps the input until it is saved or cancelled. */
export function UploadEdit({ resource, isGone, modules, onClose }: UploadEditProps) {
  const queryClient = useQueryClient();
  const saved: Versioned<DetailValues> = {
    moduleId: resource.moduleId,
    lessonId: resource.lessonId ?? "",
    title: resource.title,
    description: resource.description ?? "",
    requiredTier: resource.requiredTier,
    version: resource.version,
  };
  const { value, isChanged, change, discard } = useKeptDraft(`resource-${resource.id}`, saved);
  const form = useForm({
    async send() {
      const { version, ...values } = value;
      await api(updateResource, {
        params: { id: resource.id },
        query: { version },
        body: {
          ...values,
          lessonId: values.lessonId || null,
          description: values.description || null,
          // The button is disabled while it is empty.
          requiredTier: values.requiredTier as Tier,
        },
      });
      toast({ title: "Resource updated successfully!" });
      close();
      queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    },
    onFailed(error) {
      if (isOutdated(error)) queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
      toastFailure("Update Failed", error, "Failed to update resource");
    },
  });
  function close(): void {
    discard();
    onClose();
  }
  return (
    <ActionDialog
      title="Edit resource"
      description={
        isGone
          ? "It was deleted while you were writing: take from here what you need elsewhere."
          : `The file stays: ${resource.fileName}`
      }
      confirm="Save"
      form={form}
      isIncomplete={isGone || !isComplete(value)}
      onClose={onClose}
      onCancel={close}
    >
      <DetailFields
        modules={modules}
        values={value}
        faults={form.faults}
        isDisabled={form.isSending}
        onChange={(values) => change({ ...values, version: value.version })}
      />
      <ChangedMeanwhile
        written={value}
        saved={saved}
        onKeep={() => change({ ...value, version: saved.version })}
        onDiscard={discard}
        describe={(values) => inWords(values, modules)}
      />
      <KeptState isChanged={isChanged} />
    </ActionDialog>
  );
}

/** The fields under the form's labels. */
function inWords(
  { moduleId, lessonId, title, description, requiredTier }: DetailValues,
  modules: readonly ModuleChoice[],
) {
  const module = modules.find(({ id }) => id === moduleId);
  const lesson = module?.lessons.find(({ id }) => id === lessonId);
  return {
    module: module?.title ?? (moduleId || null),
    lesson: lesson?.title ?? (lessonId || null),
    title,
    description: description || null,
    "required tier": requiredTier ? tierLabels[requiredTier] : null,
  };
}
