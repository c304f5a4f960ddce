import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { MadeFrom, Version } from "../version.ts";
import { Done, plainText, recordId } from "./admin.ts";

/** Whether a claim of the pages can be proved. */
export const ClaimState = z.enum(["true", "proved", "exempt", "unproved"]);
export type ClaimState = z.infer<typeof ClaimState>;

const claimId = z.string().regex(/^[a-z0-9:_-]{1,80}$/, "Not a claim");

export const ClaimRecord = z.object({
  id: z.string(),
  note: z.string(),
  link: z.string().nullable(),
  date: z.iso.date().describe("The day of the evidence"),
  recordedBy: z.string().nullable().describe("The administrator's address; null once the account is gone"),
  recordedAt: z.iso.datetime(),
  isCurrent: z
    .boolean()
    .describe("False: the claim was worded otherwise then, or needs proof now, so it no longer counts"),
  isExemption: z.boolean().describe("True: marks the claim as not about people, prices or results"),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

export const Claim = z
  .object({
    id: z.string(),
    text: z.string(),
    version: Version.describe("Changes with the text"),
    where: z.string().describe("Where a reader finds it"),
    state: ClaimState.describe(
      "Decided by our data, else by a record for the current text. Exempt claims need no proof",
    ),
    canBeExempt: z.boolean().describe("False where we know that it is about people or prices"),
    finding: z.string().describe("What our own data say about it, in a sentence"),
    withdrawnAt: z.iso.datetime().nullable().describe("Since when it is removed from the pages; null: it is on them"),
    records: z.array(ClaimRecord),
  })
  .meta({ id: "Claim" });
export type Claim = z.infer<typeof Claim>;

export const ClaimList = z
  .object({
    // Without pages, because the sentences of the public pages limit their number.
    claims: z.array(Claim).describe("In the order of the pages"),
    unproved: z.int().describe("How many are on the pages without proof"),
  })
  .meta({ id: "ClaimList" });
export type ClaimList = z.infer<typeof ClaimList>;

export const listClaims = endpoint({
  method: "GET",
  path: "/api/admin/claims",
  summary: "Every claim that the pages make, and its proof",
  permission: "content:write",
  reply: ClaimList,
});

const Chosen = z.array(claimId).min(1).max(200);

/** The claims afterwards, and those that the call changed: the opposite call with these undoes it. */
const ClaimsMoved = ClaimList.extend({ moved: z.array(z.string()) }).meta({ id: "ClaimsMoved" });
export type ClaimsMoved = z.infer<typeof ClaimsMoved>;

export const withdrawClaims = endpoint({
  method: "POST",
  path: "/api/admin/claims/withdraw",
  summary: "Removes claims from all pages; without `only` all without proof",
  permission: "content:write",
  body: z.strictObject({ only: Chosen.optional() }),
  reply: ClaimsMoved,
});

export const restoreClaims = endpoint({
  method: "POST",
  path: "/api/admin/claims/restore",
  summary: "Restores removed claims on the pages",
  permission: "content:write",
  body: z.strictObject({ only: Chosen }),
  reply: ClaimsMoved,
});

export const ClaimEvidence = z.strictObject({
  claimId,
  note: plainText(2000).pipe(z.string().min(1, "Required")),
  link: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, hostname: z.regexes.domain, error: "An address with https://" }).max(500),
    ])
    .default("")
    .describe("Where the evidence lies; empty for none"),
  date: z.iso
    .date("A day, as 2026-11-30")
    .refine(isInCalendar, "A day, as 2026-11-30")
    .describe("The day of the evidence"),
});
export type ClaimEvidence = z.infer<typeof ClaimEvidence>;

export const recordClaim = endpoint({
  method: "POST",
  path: "/api/admin/claims/records",
  summary: "Adds proof of a claim as it is worded; refused when its text changed since it was read",
  permission: "content:write",
  query: MadeFrom,
  body: ClaimEvidence,
  reply: ClaimList,
});

export const exemptClaim = endpoint({
  method: "POST",
  path: "/api/admin/claims/exemptions",
  summary: "Marks a claim as not about people, prices or results, as it is worded; removing its record undoes it",
  permission: "content:write",
  query: MadeFrom,
  body: z.strictObject({ claimId }),
  reply: ClaimList,
});

export const removeClaimRecord = endpoint({
  method: "DELETE",
  path: "/api/admin/claims/records/{id}",
  summary: "Deletes a record; the audit log keeps what it said",
  permission: "content:write",
  params: z.object({ id: recordId }),
  reply: Done,
});
