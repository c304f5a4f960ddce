import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { reason } from "./admin.ts";

/** Why renewals are stopped now. */
export const RenewalObstacle = z
  .object({
    reason: z.enum(["credentials", "restored", "clock"]),
    since: z.iso.datetime().nullable().describe("Null: of the machine that answered"),
    sentence: z.string(),
  })
  .meta({ id: "RenewalObstacle" });
export type RenewalObstacle = z.infer<typeof RenewalObstacle>;

const RenewalStatus = z.object({ obstacles: z.array(RenewalObstacle) }).meta({ id: "RenewalStatus" });

export const getRenewals = endpoint({
  method: "GET",
  path: "/api/admin/renewals",
  summary: "Whether renewals wait, and why",
  permission: "money:read",
  reply: RenewalStatus,
});

export const resumeRenewals = endpoint({
  method: "POST",
  path: "/api/admin/renewals/resume",
  summary: "Tries one renewal, after the gateway refused our credentials; when it is charged, the others follow",
  permission: "money:settle",
  body: z.strictObject({ reason }),
  reply: RenewalStatus,
});
