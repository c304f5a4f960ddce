import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf, startDownload } from "#app/api/api.ts";
import { toastRefusal } from "#app/identity/failure-toast.ts";
import type { Resource } from "#contract/resources.ts";
import { toast } from "#ui/toast/toast.ts";
import { resourcesQuery } from "./resource-queries.ts";

/** Downloads a resource's file, and shows the result. A refusal may mean that the list is outdated. */
export function useDownload() {
  const queryClient = useQueryClient();
  const [isStarting, setIsStarting] = useState(false);
  async function download({ fileUrl, fileName, requiredTier }: Resource): Promise<void> {
    if (!fileUrl) {
      const description = `This resource requires ${requiredTier} tier access.`;
      toast({ title: "Access Denied", description, destructive: true });
      return;
    }
    setIsStarting(true);
    try {
      await startDownload(fileUrl);
      toast({ title: "Download Started", description: fileName });
    } catch (error) {
      toastRefusal("Download Failed", error, `Could not download the resource. ${messageOf(error, "")}`.trim());
      await queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    } finally {
      setIsStarting(false);
    }
  }
  return { download, isStarting };
}
