import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Resource } from "#contract/resources.ts";
import { startDownload } from "../api.ts";
import { toast } from "../ui/feedback/toast.tsx";
import { resourcesQuery } from "./resource-queries.ts";

/** Saves a resource's file, and says what became of it. A refusal may mean that the list is no longer true. */
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
    } catch {
      toast({ title: "Download Failed", description: "Could not download the resource.", destructive: true });
      await queryClient.invalidateQueries({ queryKey: resourcesQuery.queryKey });
    } finally {
      setIsStarting(false);
    }
  }
  return { download, isStarting };
}
