import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";
import { Batch } from "./batches.ts";

/** In bytes. */
export const importLimit = 20 * 1024 * 1024;
export const mostImportRows = 10_000;
export const mostImportColumns = 1000;
export const invitationDays = 180;
export const usualInvitationsPerHour = 200;

/** The programs whose exports are recognized. */
export const importSources = ["teachable", "thinkific", "kajabi", "ghost"] as const;
export type ImportSource = (typeof importSources)[number];

export const DateOrder = z.enum(["ymd", "dmy", "mdy"]);
export type DateOrder = z.infer<typeof DateOrder>;

const column = z.string().min(1).max(1000).describe("The name of a column of the file");

/** The fields that a column of the file can fill. */
export const importFields = ["email", "name", "lastName", "plan", "until", "completed", "subscribed"] as const;
export type ImportField = (typeof importFields)[number];

export const ImportMapping = z
  .strictObject({
    email: column,
    name: column.optional(),
    lastName: column.optional().describe("Where the file has first and last names in two columns"),
    plan: column.optional().describe("A tier or the name of a plan"),
    until: column.optional().describe("The last day. Without it a plan lasts as long as usual, from the sign-in"),
    completed: column.optional().describe("Numbers, ids or titles of lessons, separated by semicolons or line breaks"),
    subscribed: column
      .optional()
      .describe(
        "People with no, false or 0 here get no invitation by email. Under a name such as unsubscribed or opt_out it is the opposite: people with anything else",
      ),
    plans: z
      .record(z.string().max(1000), Tier.nullable())
      .optional()
      .describe("What words in the column `plan` mean; null: no plan"),
    defaultPlan: Tier.optional().describe("For rows that name no plan"),
    dates: DateOrder.optional().describe(
      "The order of numbers in dates other than 2027-01-31; without it the order that fits most of the file",
    ),
  })
  .meta({ id: "ImportMapping" });
export type ImportMapping = z.infer<typeof ImportMapping>;

/** Whether a column says who wants no emails, such as "unsubscribe_from_marketing_emails". */
export function isOptOut(columnName: string): boolean {
  return /unsub|(?:^|[^a-z])opt(?:ed)?[^a-z]*out/i.test(columnName);
}

export const Fate = z
  .enum(["new", "changed", "same", "refused"])
  .describe("new: nobody here has this address; changed: it adds to what somebody has; same: it adds nothing");
export type Fate = z.infer<typeof Fate>;

const Counts = z.object({ new: z.int(), changed: z.int(), same: z.int(), refused: z.int() });

export const ImportOutcome = z
  .enum(["given", "invited", "claimed", "same", "refused", "withdrawn", "stopped"])
  .describe(
    "given: somebody with an account has it; invited: it waits for a sign-in; claimed: it was given at a sign-in; withdrawn: a later import replaced it, or the import was deleted; stopped: not reached",
  );
export type ImportOutcome = z.infer<typeof ImportOutcome>;

export const ImportRow = z
  .object({
    id: z.string(),
    line: z.int().describe("In the file, whose first line is 1"),
    email: z.string().describe("As in the file, when it is not an address"),
    name: z.string().nullable(),
    tier: Tier.nullable(),
    until: z.iso.datetime().nullable(),
    completed: z.int().describe("How many lessons were completed elsewhere"),
    fate: Fate,
    reason: z.string().nullable(),
    mayEmail: z.boolean().describe("False: they unsubscribed, or cannot be emailed"),
    outcome: ImportOutcome.nullable().describe("Null: not dealt with yet"),
    userId: z.string().nullable().describe("Of the account that has it"),
    sentAt: z.iso.datetime().nullable().describe("When the invitation was sent"),
  })
  .meta({ id: "ImportRow" });
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportState = z.enum(["checked", "running", "stopped", "done"]);
export type ImportState = z.infer<typeof ImportState>;

export const Import = z
  .object({
    ...Batch.omit({ state: true }).shape,
    state: ImportState,
    fileName: z.string(),
    author: z.string(),
    source: z.enum(importSources).nullable().describe("The program whose export it is"),
    counts: Counts.describe("Of the dry run"),
    outcomes: z.partialRecord(ImportOutcome, z.int()).describe("Of the rows, which are kept for 30 days"),
    invitations: z.object({
      state: z.enum(["none", "sending", "stopped", "done"]),
      perHour: z.int(),
      waiting: z.int().describe("Invitations that were not emailed yet"),
      sent: z.int(),
      unsubscribed: z.int().describe("People of the list who are not emailed because they unsubscribed"),
    }),
  })
  .meta({ id: "Import" });
export type Import = z.infer<typeof Import>;

export const CheckedImport = z
  .object({
    ...Import.shape,
    columns: z.array(z.string()),
    mapping: ImportMapping.partial({ email: true }).describe(
      "As sent or guessed; without `email`, which column has the addresses is unknown",
    ),
    unknownPlans: z.array(z.string()).describe("Words in the column `plan` that are no plan here, 50 at most"),
    rows: z.array(ImportRow.pick({ line: true, fate: true, reason: true })),
  })
  .meta({ id: "CheckedImport" });
export type CheckedImport = z.infer<typeof CheckedImport>;

const path = "/api/admin/imports";
const permission = "people:many";
const params = z.object({ id: recordId });

export const checkImport = endpoint({
  method: "POST",
  path,
  summary: "Reads a list of students and says what importing each row would do. Changes nobody",
  permission,
  withoutFreshSignIn: "Changes nobody",
  form: z.object({
    file: z.any().meta({ type: "string", format: "binary" }).describe("CSV or XLSX, 20 MB and 10,000 rows at most"),
    mapping: z
      .string()
      .optional()
      .describe("JSON: an ImportMapping, or the name of a known export such as `teachable`. Absent: it is guessed"),
  }),
  reply: CheckedImport,
  otherReplies: { 201: CheckedImport },
});

export const listImports = endpoint({
  method: "GET",
  path,
  summary: "The imports of students, the newest first, a page of them",
  permission,
  query: z.strictObject(paging),
  reply: pageOf(Import),
});

export const getImport = endpoint({
  method: "GET",
  path: `${path}/{id}`,
  summary: "How far an import is, or what came of it",
  permission,
  params,
  reply: Import,
});

export const ImportRowFilter = z.strictObject({ fate: Fate.optional(), outcome: ImportOutcome.optional() });
export type ImportRowFilter = z.infer<typeof ImportRowFilter>;

export const listImportRows = endpoint({
  method: "GET",
  path: `${path}/{id}/rows`,
  summary: "The rows of an import in their order, a page of them",
  permission,
  params,
  query: ImportRowFilter.extend(paging),
  reply: pageOf(ImportRow),
});

export const startImport = endpoint({
  method: "POST",
  path: `${path}/{id}/start`,
  summary:
    "Begins an import. Whoever has a confirmed account gets it at once, others once they sign in; sends no email",
  permission,
  params,
  body: z.strictObject({}),
  reply: Import,
});

export const stopImport = endpoint({
  method: "POST",
  path: `${path}/{id}/stop`,
  summary: "Stops an import or its emails. What is done stays",
  permission,
  withoutFreshSignIn: "Only ends what was started",
  params,
  body: z.strictObject({}),
  reply: Import,
});

export const InviteImported = z.strictObject({
  perHour: z.int().min(1).max(1000).default(usualInvitationsPerHour).describe("Emails an hour, over all imports"),
});

export const inviteImported = endpoint({
  method: "POST",
  path: `${path}/{id}/invite`,
  summary: "Emails the invitations that wait, once each. Whoever unsubscribed gets none",
  permission,
  params,
  body: InviteImported,
  reply: Import,
});

export const previewImportInvitation = endpoint({
  method: "GET",
  path: `${path}/{id}/invitation`,
  summary: "The invitation as the first person of an import would get it",
  permission,
  params,
  reply: z.object({ to: z.string(), subject: z.string(), html: z.string() }).meta({ id: "InvitationPreview" }),
});

export const deleteImport = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Deletes an import that isn't under way and withdraws the invitations that nobody has claimed",
  permission,
  params,
  body: z.strictObject({}).nullish(),
  reply: Done,
});

/** Answers a GET with the rows that were not imported, with their reasons, as CSV. */
export function importErrorsUrl(id: string): string {
  return `${path}/${id}/errors.csv`;
}
