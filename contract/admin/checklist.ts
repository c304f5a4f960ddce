import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const Check = z
  .object({
    id: z.string(),
    title: z.string(),
    group: z
      .enum(["first-steps", "owner", "operator"])
      .describe("What an owner does first, what an owner keeps an eye on, and what who runs the servers does"),
    state: z
      .enum(["done", "todo", "problem", "nothing-yet"])
      .describe("`problem`: something fails now; `nothing-yet`: there is nothing to check"),
    detail: z.string().describe("What was found and, unless it is done, what to do"),
    links: z.array(z.object({ label: z.string(), to: z.string() })).describe("Where to do it"),
  })
  .meta({ id: "Check" });
export type Check = z.infer<typeof Check>;

export const getChecklist = endpoint({
  method: "GET",
  path: "/api/admin/checklist",
  summary: "What a new academy needs before it sells, and what needs somebody now",
  permission: "operations:read",
  reply: z.object({ checks: z.array(Check) }).meta({ id: "Checklist" }),
});
