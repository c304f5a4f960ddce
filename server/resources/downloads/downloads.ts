import { tierOpens } from "#contract/tiers.ts";
import { ownTierInUse, requireUnblocked, tierInUse } from "#server/access/access.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type User, userMay } from "#server/identity/users.ts";
import { addDownloads, findResource, type ResourceRow, setFileMissing } from "../queries.ts";

/** @throws Refusal account-blocked; tier-required for a locked resource; not-found for a hidden one. */
export async function downloadableResource(ctx: Context, viewer: User, id: string): Promise<ResourceRow> {
  const writesThem = userMay(ctx, viewer, "content:write");
  if (!writesThem) requireUnblocked(viewer);
  const resource = await findResource(ctx.db, id, !writesThem);
  if (!resource) throw notFound("resource");
  if (!writesThem && !tierOpens(await tierInUse(ctx, viewer), resource.requiredTier)) {
    throw new Refusal("tier-required", `This resource requires ${resource.requiredTier} tier access.`);
  }
  return resource;
}

export async function recordFileFound(ctx: Context, resource: ResourceRow): Promise<void> {
  if (resource.fileMissingSince === null) return;
  await setFileMissing(ctx.db, [resource.id], null);
  ctx.log.warn({ resource: resource.id }, "the file of a resource is back");
}

/** Records that the file is missing, which lists show from now on. @returns the refusal to answer with. */
export async function recordFileMissing(ctx: Context, resource: ResourceRow): Promise<Refusal> {
  if (resource.fileMissingSince === null) await setFileMissing(ctx.db, [resource.id], ctx.clock.now());
  ctx.log.error({ resource: resource.id }, "the file of a resource is missing");
  return new Refusal("unavailable", "We can't find this file right now. Please try again later.", {
    retryAfterSeconds: 300,
  });
}

interface Counting {
  next: { userIds: string[]; written: Promise<void> } | null;
  last: Promise<void>;
}

/** At most one entry for each download in flight, 2,000 of about 300 bytes: 600 kB. */
const countings = new WeakMap<Context, Map<string, Counting>>();

/** Resolves when the download is counted. Those of the team are not. */
export async function recordDownload(ctx: Context, { id, requiredTier }: ResourceRow, viewer: User): Promise<void> {
  if (tierOpens(await ownTierInUse(ctx, viewer), requiredTier)) await countDownload(ctx, id, viewer.id);
}

/** Downloads during a write share the next one instead of queueing. */
function countDownload(ctx: Context, id: string, userId: string): Promise<void> {
  const ofAll = countings.get(ctx) ?? new Map<string, Counting>();
  countings.set(ctx, ofAll);
  const counting = ofAll.get(id) ?? { next: null, last: Promise.resolve() };
  ofAll.set(id, counting);
  if (counting.next) {
    counting.next.userIds.push(userId);
    return counting.next.written;
  }
  const write = async () => {
    const userIds = counting.next?.userIds ?? [];
    counting.next = null;
    await addDownloads(ctx.db, id, userIds, ctx.clock.now());
  };
  const forget = () => {
    if (!counting.next && counting.last === written) ofAll.delete(id);
  };
  const written = counting.last.then(write, write);
  counting.next = { userIds: [userId], written };
  counting.last = written;
  written.then(forget, forget);
  return written;
}
