import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { pageOf, paging, reason, recordId, selectionOf } from "./admin.ts";
import { Audience } from "./announcements.ts";
import { Batch, batchSteps } from "./batches.ts";
import { UserFilter } from "./users.ts";

export const maxPeople = 10_000;
/** Above this, the administrator must type the number of people to confirm. */
export const maxWithoutTyping = 100;

export const UserSelection = selectionOf(UserFilter);
export type UserSelection = z.infer<typeof UserSelection>;

const bulkKinds = ["grant", "hold", "suspend", "reactivate"] as const;
export const BulkKind = z.enum(bulkKinds);
export type BulkKind = z.infer<typeof BulkKind>;

export const BulkOperation = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("grant"),
      tier: Tier,
      endsAt: z.iso
        .datetime()
        .nullable()
        .optional()
        .describe("In the future, null: never; without it the tier lasts as long as its plan, from now"),
    }),
    z.strictObject({ kind: z.literal("hold") }),
    z.strictObject({ kind: z.literal("suspend") }),
    z.strictObject({ kind: z.literal("reactivate") }),
  ])
  .describe("What is done to each, by the rules of the call that does it to one person");
export type BulkOperation = z.infer<typeof BulkOperation>;

const reasons = [
  "team",
  "left",
  "has-it",
  "higher-plan",
  "nothing-renews",
  "declined",
  "blocked",
  "suspended",
  "not-blocked",
  "changed",
  "unpaid",
  "failed",
  "stopped",
] as const;
export const SkipReason = z
  .enum(reasons)
  .describe(
    "team: of the academy's team, who are changed one at a time; left: the account is deleted; has-it: the plan, for at least as long; higher-plan: nothing is taken away; nothing-renews, declined: nothing can be put on hold; blocked: on hold or suspended; suspended; not-blocked: there is nothing to open; changed: something about them has changed since; unpaid: was closed for a payment, which undoing does not ask for again, or was reopened without one before; failed: three tries ended in an error; stopped: an administrator stopped it before",
  );
export type SkipReason = z.infer<typeof SkipReason>;

const Skipped = z
  .array(z.object({ reason: SkipReason, people: z.int() }))
  .describe("Who is left out and why, most first");

export const BulkPreview = z
  .object({
    people: z.int().describe("In the selection"),
    concerned: z.int().describe("To whom it would be done"),
    skipped: Skipped,
    endsSubscriptions: z.int().describe("Whose subscription would renew no more, as for one person"),
    preview: z.string().describe("Names who would be concerned; a start hands it back"),
  })
  .meta({ id: "BulkPreview" });
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkAction = z
  .object({
    ...Batch.shape,
    kind: BulkKind,
    tier: Tier.nullable(),
    endsAt: z.iso.datetime().nullable().describe("Of what is granted; null: never"),
    undoes: z.string().nullable().describe("The action that this one takes back"),
    undoneBy: z.string().nullable(),
    undoUntil: z.iso.datetime().nullable().describe("Null: it cannot be undone, or is"),
    actorName: z.string(),
    reason: z.string().nullable(),
    skippedBecause: Skipped.describe("The people that were skipped by reason, for 60 days"),
  })
  .meta({ id: "BulkAction" });
export type BulkAction = z.infer<typeof BulkAction>;

const path = "/api/admin/bulk-actions";
const params = z.object({ id: recordId });

export const previewBulkAction = endpoint({
  method: "POST",
  path: `${path}/preview`,
  summary: "What an action on many would do now, and who would be left out. Changes nothing",
  permission: "people:many",
  withoutFreshSignIn: "Changes nobody",
  body: z.strictObject({ selection: UserSelection, operation: BulkOperation }),
  reply: BulkPreview,
});

export const BulkStart = z.strictObject({
  selection: UserSelection,
  operation: BulkOperation,
  reason: reason.describe("Required to suspend; who is put on hold or suspended is shown it"),
  preview: z.string().max(200).describe("Of the preview that was confirmed"),
});

export const startBulkAction = endpoint({
  method: "PUT",
  path: `${path}/{id}`,
  summary:
    "Fixes whom an action concerns and begins it. The caller invents the id; the same one again begins nothing. 409 when the preview is of others",
  permission: "people:many",
  params,
  body: BulkStart,
  reply: BulkAction,
});

export const listBulkActions = endpoint({
  method: "GET",
  path,
  summary: "The actions on many, the newest first, a page of them",
  permission: "people:many",
  query: z.strictObject(paging),
  reply: pageOf(BulkAction.omit({ skippedBecause: true }).meta({ id: "BulkActionEntry" })),
});

export const getBulkAction = endpoint({
  method: "GET",
  path: `${path}/{id}`,
  summary: "How far an action on many is, or what came of it",
  permission: "people:many",
  params,
  reply: BulkAction,
});

export const BulkPerson = z
  .object({
    id: z.string(),
    name: z.string(),
    reason: SkipReason.nullable(),
  })
  .meta({ id: "BulkPerson" });
export type BulkPerson = z.infer<typeof BulkPerson>;

export const listBulkPeople = endpoint({
  method: "GET",
  path: `${path}/{id}/people`,
  summary: "Whom an action on many was done to, or who was left out; a page of them",
  permission: "people:many",
  params,
  query: z.strictObject({ outcome: z.enum(["done", "skipped"]).default("skipped"), ...paging }),
  reply: pageOf(BulkPerson),
});

export const bulkSteps = batchSteps({
  path,
  noun: "an action on many",
  permission: "people:many",
  reply: BulkAction,
});

export const previewUndo = endpoint({
  method: "GET",
  path: `${path}/{id}/undo`,
  summary: "For how many an action would be taken back now, and who has changed since",
  permission: "people:many",
  params,
  reply: BulkPreview.pick({ people: true, concerned: true, skipped: true }).meta({ id: "UndoPreview" }),
});

export const undoBulkAction = endpoint({
  method: "POST",
  path: `${path}/{id}/undo`,
  summary: "Takes back exactly what an action did, for everybody who has not changed since; once",
  permission: "people:many",
  params,
  body: z.strictObject({}),
  reply: BulkAction,
});

export const selectAudience = endpoint({
  method: "POST",
  path: "/api/admin/audience",
  summary: "Makes an audience of the selected people, whom an announcement can then be written to",
  permission: "announcements:send",
  withoutFreshSignIn: "Stores a choice and sends nothing",
  body: z.strictObject({ selection: UserSelection }),
  reply: z.object({ audience: Audience, people: z.int() }),
});
