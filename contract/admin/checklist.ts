import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const Check = z
  .object({
    id: z.string(),
    title: z.string(),
    state: z.enum(["done", "todo", "problem"]).describe("`problem`: something fails now"),
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
