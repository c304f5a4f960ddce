import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import type { Permission } from "../permissions.ts";
import { recordId } from "./admin.ts";

export const BatchState = z.enum(["running", "paused", "stopped", "done"]);
export type BatchState = z.infer<typeof BatchState>;

/** How far work on many people is, such as sending an announcement. */
export const Batch = z.object({
  id: z.string(),
  state: BatchState,
  people: z.int().describe("Fixed when it starts"),
  done: z.int(),
  skipped: z.int().describe("Left out, or not reached before it was stopped"),
  waiting: z.int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Batch = z.infer<typeof Batch>;

export const batchStepNames = ["pause", "resume", "stop"] as const;
export type BatchStep = (typeof batchStepNames)[number];

const step = endpoint({
  method: "POST",
  path: "",
  summary: "",
  params: z.object({ id: recordId }),
  body: z.strictObject({}),
  reply: z.unknown(),
});

/** The calls that pause, resume and stop a batch, each of which replies with it. */
export function batchSteps<Reply extends z.ZodType>({
  path,
  noun,
  ...shared
}: {
  path: string;
  noun: string;
  permission: Permission;
  reply: Reply;
}) {
  return {
    pause: endpoint({
      ...step,
      ...shared,
      path: `${path}/{id}/pause`,
      summary: `Pauses ${noun} until it is resumed`,
      withoutFreshSignIn: "Only delays what was started",
    }),
    resume: endpoint({
      ...step,
      ...shared,
      path: `${path}/{id}/resume`,
      summary: `Continues ${noun} with those who wait`,
    }),
    stop: endpoint({
      ...step,
      ...shared,
      path: `${path}/{id}/stop`,
      summary: `Stops ${noun} for good. What is done stays, and those who wait are left out`,
      withoutFreshSignIn: "Only ends what was started",
    }),
  };
}
