import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Resource, ResourceDetails } from "#contract/resources.ts";
import { tierOpens } from "#contract/tiers.ts";
import { requireUnblocked, tierInUse } from "#server/access/access.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { movedBefore } from "#server/base/order.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { isAnswerLost } from "#server/db/unavailable.ts";
import { type User, userMay } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { deleteOwnFile, requireOwnStore } from "#server/storage/owner.ts";
import {
  findResource,
  hasLesson,
  hasModule,
  listResourceRows,
  lockResource,
  lockResourcesIn,
  nextPosition,
  type ResourceFilter,
  type ResourceRow,
} from "./queries.ts";
import { titlesFor } from "./rules.ts";
import { courseResources } from "./tables.ts";
import { discard, type Upload } from "./uploads/receive-upload.ts";

export { hasResourceTitled, recordMissingFiles } from "./queries.ts";

/** Students see locked ones without a URL. Administrators see all. @throws Refusal account-blocked. */
export async function listResourcesFor(ctx: Context, viewer: User, filter: ResourceFilter): Promise<Resource[]> {
  const writesThem = userMay(ctx, viewer, "content:write");
  if (!writesThem) requireUnblocked(viewer);
  const tier = await tierInUse(ctx, viewer);
  const rows = await listResourceRows(ctx.db, filter, !writesThem);
  return rows.map((row) => presentResource(row, writesThem || tierOpens(tier, row.requiredTier)));
}

/** Stores all files or none, and empties `incoming`. @throws Refusal invalid-input, storage-full, unavailable. */
export async function storeUpload(ctx: Context, actor: string, { details, files }: Upload): Promise<Resource[]> {
  const keys: string[] = [];
  try {
    await requireModuleAndLesson(ctx, details);
    await requireOwnStore(ctx);
    for (const file of files) {
      const key = `resources/${newId()}`;
      keys.push(key);
      await ctx.storage.put(key, file);
    }
    return await ctx.db.transaction((tx) => insertResources(tx, actor, { details, files, keys }, ctx.clock.now()));
  } catch (error) {
    await discard(files);
    // The rows may have been committed. The sweep deletes files without a row.
    if (!isAnswerLost(error)) await Promise.allSettled(keys.map((key) => deleteOwnFile(ctx, key)));
    throw error;
  }
}

/** @throws Refusal not-found, invalid-input, conflict. */
export async function changeResource(
  ctx: Context,
  actor: string,
  { id, version }: { readonly id: string; readonly version?: string | undefined },
  details: ResourceDetails,
): Promise<Resource> {
  await requireModuleAndLesson(ctx, details);
  return ctx.db.transaction(async (tx) => {
    const before = await lockResource(tx, id);
    if (!before) throw notFound("resource");
    requireVersion(version, versionOf(detailsOf(before)));
    const now = ctx.clock.now();
    const isInPlace = before.moduleId === details.moduleId && before.lessonId === (details.lessonId ?? null);
    const position = isInPlace ? before.position : await nextPosition(tx, details);
    const changed = { ...details, position, updatedAt: now };
    await tx.update(courseResources).set(changed).where(eq(courseResources.id, id));
    const line = { actor, action: "change resource", subject: id, before: detailsOf(before), after: details };
    await recordAudit(tx, line, now);
    return presentResource({ ...before, ...changed }, true);
  });
}

/** Puts it right before another one of the same lesson or module. @throws Refusal not-found. */
export async function moveResourceBefore(ctx: Context, actor: string, id: string, before: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const place = await findResource(tx, id, false);
    if (!place) throw notFound("resource");
    const rows = await lockResourcesIn(tx, place);
    const order = movedBefore(rows, id, before);
    if (!order) throw notFound("resource");
    for (const [position, row] of order.entries()) {
      if (row.position !== position)
        await tx.update(courseResources).set({ position }).where(eq(courseResources.id, row.id));
    }
    const titles = (list: readonly ResourceRow[]) => ({ order: list.map(({ title }) => title) });
    const line = { actor, action: "move resource", subject: id, before: titles(rows), after: titles(order) };
    await recordAudit(tx, line, ctx.clock.now());
  });
}

export const deleteFileJob = defineJob("delete-file", z.object({ key: z.string() }));

/** A job deletes the file, so that a crash leaves no orphan. @throws Refusal not-found. */
export async function removeResource(ctx: Context, actor: string, id: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const before = await lockResource(tx, id);
    if (!before) throw notFound("resource");
    await tx.delete(courseResources).where(eq(courseResources.id, id));
    await scheduleJob(tx, deleteFileJob, { data: { key: before.storageKey }, runAt: now, now });
    await recordAudit(tx, { actor, action: "delete resource", subject: id, before: detailsOf(before) }, now);
  });
}

async function insertResources(
  tx: Db,
  actor: string,
  { details, files, keys }: Upload & { readonly keys: readonly string[] },
  now: Date,
): Promise<Resource[]> {
  const titles = titlesFor(
    details.title,
    files.map(({ name }) => name),
  );
  const position = await nextPosition(tx, details);
  const rows = await tx
    .insert(courseResources)
    .values(
      files.map((file, at) => ({
        ...details,
        title: titles[at] ?? details.title,
        position: position + at,
        storageKey: keys[at] ?? "",
        fileName: file.name,
        format: file.format,
        fileSize: file.size,
        sha256: file.sha256,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .returning();
  for (const row of rows) {
    await recordAudit(tx, { actor, action: "upload resource", subject: row.id, after: detailsOf(row) }, now);
  }
  return rows.map((row) => presentResource(row, true));
}

async function requireModuleAndLesson(ctx: Context, { moduleId, lessonId }: ResourceDetails): Promise<void> {
  const wrong = (field: string, message: string) =>
    new Refusal("invalid-input", message, { errors: { [field]: [message] } });
  if (!(await hasModule(ctx.db, moduleId))) throw wrong("moduleId", "We couldn't find this module.");
  if (lessonId !== null && !(await hasLesson(ctx.db, moduleId, lessonId))) {
    throw wrong("lessonId", "We couldn't find this lesson in the module.");
  }
}

function detailsOf({ moduleId, lessonId, title, description, requiredTier }: ResourceRow): ResourceDetails {
  return { moduleId, lessonId, title, description, requiredTier };
}

function presentResource(row: ResourceRow, isUnlocked: boolean): Resource {
  return {
    ...row,
    isAvailable: row.fileMissingSince === null,
    fileUrl: isUnlocked ? row.fileUrl : null,
    isUnlocked,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: versionOf(detailsOf(row)),
  };
}
