import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import type { Batch, BatchStep, batchSteps } from "#contract/admin/batches.ts";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "../act.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";

interface BatchStepsProps {
  batch: Pick<Batch, "id" | "state">;
  calls: ReturnType<typeof batchSteps>;
  /** Of the query that shows the batch. */
  queryKey: QueryKey;
  /** The title and the description of the dialog that stops it. */
  stop: { title: string; description: string };
}

/** Pauses, resumes and stops a batch that has not ended. */
export function BatchSteps({ batch: { id, state }, calls, queryKey, stop }: BatchStepsProps) {
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const call = (step: BatchStep) => async () => {
    const changed = await api(calls[step], { params: { id }, body: {} });
    queryClient.setQueryData(queryKey, changed);
  };
  const pause = useAct(call("pause"), { done: "Paused", failed: "Failed to pause it" });
  const resume = useAct(call("resume"), { done: "Resumed", failed: "Failed to resume it" });
  if (state !== "running" && state !== "paused") return null;
  const other = state === "running" ? pause : resume;
  return (
    <>
      <Button variant="outline" size="small" pending={other.isPending} onClick={() => other.mutate()}>
        {state === "running" ? "Pause" : "Resume"}
      </Button>
      <Button variant="outline" size="small" onClick={() => setIsAsked(true)}>
        Stop
      </Button>
      {isAsked && (
        <ConfirmDialog
          {...stop}
          confirm="Stop"
          isDangerous
          act={call("stop")}
          words={{ done: "Stopped", failed: "Failed to stop it" }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}
