import { and, asc, eq, not, sql } from "drizzle-orm";
import type * as contract from "#contract/admin/imports.ts";
import {
  ImportMapping,
  type ImportOutcome,
  importSources,
  invitationDays,
  usualInvitationsPerHour,
} from "#contract/admin/imports.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import { cleanFileName } from "#server/base/file-names.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { StepTarget, Turn } from "#server/batches/batches.ts";
import { currentPlanNames, listLessons } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { findUser, findUserByEmail, listUsersByEmail, lockUser, type User, userMay } from "#server/identity/users.ts";
import { academyZone } from "#server/settings/settings.ts";
import { giveTo, rowsKept } from "./claims.ts";
import type { ReadFile } from "./list-file.ts";
import { describeImport, presentImport } from "./listing.ts";
import { guessDates, guessMapping, lessonKeys, type ParsedRow, parseRow, sourceOf } from "./mapping.ts";
import { importBatches, listHolders, listInvited, lockAddress, type RowEntry, setRow } from "./queries.ts";
import { readFile } from "./read-file.ts";
import {
  type Decision,
  decideFor,
  decideInvitation,
  type Holder,
  merge,
  planWaitsFor,
  planWaitsReason,
} from "./rules.ts";
import { importMails, importRows, imports } from "./tables.ts";

export { importBatches } from "./queries.ts";

const checksPerHour = {
  max: 200,
  window: HOUR,
  message: "You’ve uploaded a lot of lists. Please try again in an hour.",
};
const rowsPerTurn = 50;
const rowsPerInsert = 500;

export interface UploadedList {
  readonly path: string;
  readonly name: string;
  /** JSON, or the name of a known export; absent: guessed. */
  readonly mapping: string | undefined;
}

/** A dry run, which is kept for a day. @throws Refusal invalid-input, too-many-requests */
export async function checkImport(ctx: Context, actor: User, file: UploadedList): Promise<contract.CheckedImport> {
  const now = ctx.clock.now();
  await countUse(ctx.db, `imports ${actor.id}`, checksPerHour, now);
  const read = await readFile(file.path);
  const { mapping, source } = chooseMapping(read, file.mapping);
  const { email } = mapping;
  const parsed = email ? await parseRows(ctx, read, { ...mapping, email }) : read.rows.map(() => withoutMapping);
  const decisions = await decideAll(ctx, parsed, read.rows);
  const count = (fate: contract.Fate) => decisions.filter((one) => one.fate === fate).length;
  const counts = { new: count("new"), changed: count("changed"), same: count("same"), refused: count("refused") };
  const fileName = cleanFileName(file.name) || "list";
  // Others wait for the start, which decides by what is true then.
  const isClosed = (at: number) => decisions[at]?.isOfFile ?? true;
  const row = await ctx.db.transaction(async (tx) => {
    // The same file with another mapping.
    const isReplaced = and(
      eq(imports.authorId, actor.id),
      eq(imports.state, "checked"),
      eq(imports.fileName, fileName),
    );
    await tx.delete(imports).where(isReplaced);
    const unusedUntil = after(now, DAY);
    const [made] = await tx
      .insert(imports)
      .values({
        ...{ authorId: actor.id, fileName, source, columns: read.columns, ...counts, createdAt: now, unusedUntil },
        people: read.rows.filter((_, at) => !isClosed(at)).length,
        invitationsPerHour: usualInvitationsPerHour,
      })
      .returning();
    if (!made) throw new Error("an import was not kept");
    const rows = read.rows.map(({ line, cells }, at) => {
      const { fault: _, unknownPlan: __, ...values } = parsed[at] ?? withoutMapping;
      const { fate, reason } = decisions[at] ?? { fate: "refused", reason: null };
      const outcome = isClosed(at) ? ("refused" as const) : null;
      const closedAt = outcome && now;
      return { importId: made.id, line, ...values, fate, reason, cells, outcome, closedAt, deletesAt: unusedUntil };
    });
    for (let from = 0; from < rows.length; from += rowsPerInsert)
      await tx.insert(importRows).values(rows.slice(from, from + rowsPerInsert));
    return made;
  });
  return {
    ...(await presentImport(ctx, row)),
    columns: [...read.columns],
    mapping,
    unknownPlans: [...new Set(parsed.flatMap(({ unknownPlan }) => unknownPlan ?? []))].slice(0, 50),
    rows: read.rows.map(({ line }, at) => {
      const { fate = "refused", reason = null } = decisions[at] ?? {};
      return { line, fate, reason };
    }),
  };
}

const withoutMapping: ParsedRow = {
  ...{ email: "", name: null, tier: null, endsAt: null, completed: [], mayEmail: true, unknownPlan: null },
  fault: "Choose the column with email addresses.",
};

function chooseMapping({ columns, rows }: ReadFile, asked: string | undefined) {
  const { source, mapping } = readOrGuess(columns, asked);
  const at = columns.indexOf(mapping.until ?? "");
  if (mapping.until) mapping.dates ??= guessDates(rows.map(({ cells }) => cells[at] ?? ""));
  return { source, mapping };
}

function readOrGuess(columns: readonly string[], asked: string | undefined) {
  const named = importSources.find((source) => source === asked?.trim().replaceAll('"', "").toLowerCase());
  const source = named ?? sourceOf(columns);
  if (named || asked === undefined) return { source, mapping: guessMapping(columns, source) };
  const mapping = readMapping(asked);
  const { plans: _, defaultPlan: __, dates: ___, ...chosen } = mapping;
  const missing = Object.values(chosen).find((name) => name !== undefined && !columns.includes(name));
  if (missing !== undefined) throw wrongMapping(`The file has no column called “${missing}”.`);
  return { source, mapping };
}

function readMapping(text: string): ImportMapping {
  try {
    return ImportMapping.parse(JSON.parse(text));
  } catch {
    throw wrongMapping("We can’t read this mapping.");
  }
}

function wrongMapping(message: string): Refusal {
  return new Refusal("invalid-input", message, { errors: { mapping: [message] } });
}

async function parseRows(ctx: Context, { columns, rows }: ReadFile, mapping: ImportMapping): Promise<ParsedRow[]> {
  const { db, clock } = ctx;
  const planNames = await currentPlanNames(db);
  const lessons = lessonKeys(await listLessons(db));
  const reading = { columns, mapping, planNames, lessons, timeZone: await academyZone(db), now: clock.now() };
  return rows.map(({ cells }) => parseRow(cells, reading));
}

/** `isOfFile`: refused for what the file says, which no later start changes. */
type Checked = Decision & { readonly isOfFile: boolean };

async function decideAll(ctx: Context, parsed: readonly ParsedRow[], lines: ReadFile["rows"]): Promise<Checked[]> {
  const now = ctx.clock.now();
  const emails = parsed.map(({ email }) => email);
  const users = (await listUsersByEmail(ctx.db, emails)).filter(({ emailVerified }) => emailVerified);
  const holders = await listHolders(ctx.db, users);
  const holderOf = new Map(users.map(({ email }, at) => [email, holders[at]]));
  const invited = new Map((await listInvited(ctx.db, emails)).map((row) => [row.email, row]));
  const first = new Map<string, number>();
  return parsed.map((row, at) => {
    if (row.fault) return { fate: "refused", reason: row.fault, isOfFile: true };
    const before = first.get(row.email);
    if (before !== undefined)
      return { fate: "refused", reason: `Line ${before} has the same address.`, isOfFile: true };
    first.set(row.email, lines[at]?.line ?? 0);
    const open = openOf(invited.get(row.email), now);
    return { ...decide(holderOf.get(row.email), open, row, now), isOfFile: false };
  });
}

/** As `importRow` will. */
function decide(holder: Holder | undefined, open: RowEntry | null, row: ParsedRow, now: Date): Decision {
  const own = holder && decideFor(holder, row, now);
  if (own && !planWaitsFor(holder, row, now)) return own;
  const decision = decideInvitation(open, row, now);
  return own && decision.fate === "new" ? { fate: "changed", reason: planWaitsReason } : decision;
}

function openOf(row: RowEntry | undefined, now: Date): RowEntry | null {
  return row && row.deletesAt > now ? row : null;
}

/** @throws Refusal not-found, conflict when it was stopped. */
export async function startImport(ctx: Context, { actor, id }: StepTarget): Promise<contract.Import> {
  await audited(ctx, { actor, action: "start import", subject: id }, async (tx, now) => {
    const row = await importBatches.lock(tx, id);
    if (row.state !== "checked") throw new Refusal("conflict", "This import was started before.");
    await tx.update(imports).set({ unusedUntil: null }).where(eq(imports.id, id));
    await tx
      .update(importRows)
      .set({ deletesAt: after(now, rowsKept) })
      .where(eq(importRows.importId, id));
    await importBatches.scheduleNextTurn(tx, row, now, now);
    return { after: { people: row.people } };
  });
  return describeImport(ctx, id);
}

/** Stops what is under way: the import, or its emails. @throws Refusal not-found, conflict */
export async function stopImport(ctx: Context, { actor, id }: StepTarget): Promise<contract.Import> {
  if ((await importBatches.get(ctx.db, id)).sending !== "sending")
    await importBatches.takeStep(ctx, { actor, id }, "stop");
  else {
    await audited(ctx, { actor, action: "stop invitations", subject: id }, async (tx) => {
      const isSending = and(eq(imports.id, id), eq(imports.sending, "sending"));
      const stopped = await tx
        .update(imports)
        .set({ sending: "stopped" })
        .where(isSending)
        .returning({ id: imports.id });
      if (stopped.length === 0) throw new Refusal("conflict", "All emails were sent.");
      return { after: { sending: "stopped" } };
    });
  }
  return describeImport(ctx, id);
}

/** Withdraws invitations that nobody has claimed. @throws Refusal not-found, conflict while it is under way */
export async function deleteImport(ctx: Context, { actor, id }: StepTarget): Promise<void> {
  await audited(ctx, { actor, action: "delete import", subject: id }, async (tx, now) => {
    const { state, sending, people, done } = await importBatches.lock(tx, id);
    if (state === "running" || sending === "sending") throw new Refusal("conflict", "Stop this import first.");
    await restoreReplaced(tx, id, now);
    await tx.delete(imports).where(eq(imports.id, id));
    return { before: { state, people, done } };
  });
}

/** What earlier lists promised is an invitation again, without a second email. */
async function restoreReplaced(tx: Db, id: string, now: Date): Promise<void> {
  const withdrawn = await tx
    .update(importRows)
    .set({ outcome: "withdrawn", closedAt: now })
    .where(and(eq(importRows.importId, id), eq(importRows.outcome, "invited")))
    .returning({ id: importRows.id });
  const ids = sql.param(withdrawn.map((row) => row.id));
  await tx.execute(sql`
    update ${importRows} set outcome = 'invited', may_email = found.may_email, sent_at = found.sent_at
    from (
      select distinct on (earlier.email) earlier.id,
        earlier.may_email and deleted.may_email as may_email, coalesce(deleted.sent_at, earlier.sent_at) as sent_at
      from ${importRows} deleted join ${importRows} earlier on earlier.email = deleted.email
      where deleted.id = any(${ids}) and earlier.import_id <> ${id}
        and earlier.outcome = 'withdrawn' and earlier.deletes_at > ${now}
      order by earlier.email, earlier.closed_at desc, earlier.id desc) found
    where ${importRows.id} = found.id`);
}

export function runImport(ctx: Context, turn: Turn): Promise<void> {
  return importBatches.takeTurn(ctx, turn, async ({ id, authorId }) => {
    if (!(await mayStillImport(ctx, authorId))) {
      await ctx.db.transaction(async (tx) => {
        if ((await importBatches.lock(tx, id)).state === "running")
          await importBatches.finish(tx, id, "stopped", ctx.clock.now());
      });
      return 0;
    }
    const waiting = await ctx.db
      .select()
      .from(importRows)
      .where(importBatches.isWaiting(id))
      .orderBy(asc(importRows.line))
      .limit(rowsPerTurn);
    for (const row of waiting) await ctx.db.transaction((tx) => importRow(tx, row, ctx.clock.now()));
    return 0;
  });
}

/** Whether whoever began it is still allowed to, and has an account. */
export async function mayStillImport(ctx: Context, userId: string): Promise<boolean> {
  const user = await findUser(ctx.db, userId);
  return user !== null && userMay(ctx, user, "people:many");
}

/** Deals with a row once, in one transaction. */
async function importRow(tx: Db, row: RowEntry, now: Date): Promise<void> {
  const { importId, id, email } = row;
  if ((await importBatches.lock(tx, importId)).state !== "running") return;
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  await lockAddress(tx, email);
  // Somebody has just signed up with it: the next turn locks them first.
  if (!user && (await findUserByEmail(tx, email))) return;
  const [invited] = await listInvited(tx, [email]);
  const end = async (outcome: ImportOutcome, values: Partial<RowEntry> = {}) => {
    const isDone = outcome === "given" || outcome === "invited";
    // Only the file of errors needs them.
    const cells = outcome === "refused" ? row.cells : [];
    const closed = { outcome, cells, closedAt: now, deletesAt: after(now, rowsKept), ...values };
    await importBatches.close(tx, { id: importId, userId: id }, closed, isDone ? "done" : "skipped");
  };
  const given = user?.emailVerified && user.email === email ? await giveTo(tx, user, row, now) : null;
  if (given && !given.planWaits) {
    const { fate, reason } = given;
    return end(fate === "changed" || fate === "new" ? "given" : fate, { reason, userId: user?.id ?? null });
  }
  const open = openOf(invited, now);
  const { fate, reason } = decideInvitation(open, row, now);
  if (fate === "same" || fate === "refused") {
    // Whoever has unsubscribed since is not emailed, whatever else the list says.
    if (open && !row.mayEmail) await setRow(tx, open.id, { mayEmail: false });
    return end(fate, { reason });
  }
  // It stays as long as it was promised: deleting this import makes it the invitation again.
  if (invited) await setRow(tx, invited.id, { outcome: "withdrawn", closedAt: now });
  // Whoever was emailed before is not emailed again.
  const kept = open ? { ...merge(open, row, now), sentAt: open.sentAt, mayEmail: open.mayEmail && row.mayEmail } : {};
  const waits = given ? { mayEmail: false, reason: planWaitsReason } : {};
  await end("invited", { ...kept, reason, ...waits, deletesAt: after(now, invitationDays * DAY) });
}

/** In a file without headings these are somebody's data. They are for the file of errors, as long as it has rows. */
export async function forgetColumns(db: Db): Promise<void> {
  const isError = sql`exists (
    select from ${importRows} r where r.import_id = ${imports.id} and r.outcome in ('refused', 'stopped'))`;
  const isOver = sql`${imports.state} in ('done', 'stopped') and ${imports.columns}::text <> '[]'`;
  await db
    .update(imports)
    .set({ columns: [] })
    .where(and(isOver, not(isError)));
}

export const unusedImportRetention: RetentionRule = { table: imports, from: imports.unusedUntil, keptFor: 0 };
export const importRowRetention: RetentionRule = { table: importRows, from: importRows.deletesAt, keptFor: 0 };
export const importMailRetention: RetentionRule = {
  table: importMails,
  from: importMails.sentAt,
  keptFor: invitationDays * DAY,
};
