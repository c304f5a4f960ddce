import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import { type Resource, updateResource } from "#contract/resources.ts";
import type { Tier } from "#contract/tiers.ts";
import { toast } from "#ui/toast/toast.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { DetailFields, type DetailValues, isComplete } from "./details.tsx";
import type { ModuleChoice } from "./modules.ts";

interface UploadEditProps {
  resource: Resource;
  modules: readonly ModuleChoice[];
  onClose: () => void;
}

/** What is said of a resource, to change. It stays open until it is saved, so that nothing typed is lost. */
export function UploadEdit({ resource, modules, onClose }: UploadEditProps) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState<DetailValues>(() => ({
    moduleId: resource.moduleId,
    lessonId: resource.lessonId ?? "",
    title: resource.title,
    description: resource.description ?? "",
    requiredTier: resource.requiredTier,
  }));
  const form = useForm({
    async send() {
      await api(updateResource, {
        params: { id: resource.id },
        body: {
          ...values,
          lessonId: values.lessonId || null,
          description: values.description || null,
          // The button is disabled while there is none.
          requiredTier: values.requiredTier as Tier,
        },
      });
      toast({ title: "Resource updated successfully!" });
      onClose();
      queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    },
    onFailed: (error) => toastFailure("Update Failed", error, "Failed to update resource"),
  });
  return (
    <ActionDialog
      title="Edit resource"
      description={`The file stays: ${resource.fileName}`}
      confirm="Save"
      form={form}
      isIncomplete={!isComplete(values)}
      onClose={onClose}
    >
      <DetailFields
        modules={modules}
        values={values}
        faults={form.faults}
        isDisabled={form.isSending}
        onChange={setValues}
      />
    </ActionDialog>
  );
}
