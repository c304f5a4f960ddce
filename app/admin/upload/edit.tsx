import { useQueryClient } from "@tanstack/react-query";
import { api, isOutdated } from "#app/api/api.ts";
import { useFormOf } from "#app/editing/use-form-of.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import { type Resource, ResourceDetails, updateResource } from "#contract/resources.ts";
import { planName } from "#ui/academy.ts";
import { toast } from "#ui/toast/toast.ts";
import { FormDialog } from "../form-dialog.tsx";
import { DetailFields } from "./details.tsx";
import type { ModuleChoice } from "./modules.ts";

interface UploadEditProps {
  resource: Resource;
  /** Somebody has deleted the resource since it was opened. */
  isGone: boolean;
  modules: readonly ModuleChoice[];
  onClose: () => void;
}

/** Edits a resource's details. */
export function UploadEdit({ resource, isGone, modules, onClose }: UploadEditProps) {
  const queryClient = useQueryClient();
  const { id, moduleId, lessonId, title, description, requiredTier, version } = resource;
  const form = useFormOf(ResourceDetails, {
    kept: `resource-${id}`,
    saved: { moduleId, lessonId, title, description, requiredTier, version },
    async send(body, version) {
      await api(updateResource, { params: { id }, query: { version }, body });
      toast({ title: "Resource updated successfully!" });
      onClose();
      queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    },
    onFailed(error) {
      if (isOutdated(error)) queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
      toastFailure("Update Failed", error, "Failed to update resource");
    },
  });
  return (
    <FormDialog
      form={form}
      title="Edit resource"
      description={
        isGone
          ? "It was deleted while you were writing. Copy what you still need."
          : `The file stays: ${resource.fileName}`
      }
      confirm="Save"
      isIncomplete={isGone || !(form.value.moduleId && form.value.title && form.value.requiredTier)}
      describe={(details) => inWords(details, modules)}
      onClose={onClose}
    >
      <DetailFields form={form} modules={modules} />
    </FormDialog>
  );
}

/** The fields under the form's labels. */
function inWords(
  { moduleId, lessonId, title, description, requiredTier }: ResourceDetails,
  modules: readonly ModuleChoice[],
) {
  const module = modules.find(({ id }) => id === moduleId);
  const lesson = module?.lessons.find(({ id }) => id === lessonId);
  return {
    module: module?.title ?? (moduleId || null),
    lesson: lesson?.title ?? lessonId,
    title,
    description,
    "required tier": requiredTier ? planName(requiredTier) : null,
  };
}
