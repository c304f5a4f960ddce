import { tierOpens } from "#contract/tiers.ts";
import { requireUnblocked, tierInUse } from "#server/access/access.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { isAdministrator, type User } from "#server/identity/users.ts";
import { addDownloads, findResource, type ResourceRow, setFileMissing } from "../queries.ts";
import { noSuchResource } from "../resources.ts";

/**
 * The resource, when this viewer may download it now; administrators may download everything.
 * @throws Refusal account-blocked, not-found for what lists do not name, tier-required for what they name as locked.
 */
export async function downloadableResource(ctx: Context, viewer: User, id: string): Promise<ResourceRow> {
  const isAdmin = isAdministrator(ctx, viewer);
  if (!isAdmin) requireUnblocked(viewer);
  const resource = await findResource(ctx.db, id, !isAdmin);
  if (!resource) throw noSuchResource();
  if (!isAdmin && !tierOpens(await tierInUse(ctx, viewer), resource.requiredTier)) {
    throw new Refusal("tier-required", `This resource requires ${resource.requiredTier} tier access.`);
  }
  return resource;
}

/** Lists tell the truth at once when a file is back. */
export async function recordFileFound(ctx: Context, resource: ResourceRow): Promise<void> {
  if (resource.fileMissingSince === null) return;
  await setFileMissing(ctx.db, [resource.id], null);
  ctx.log.warn({ resource: resource.id }, "the file of a resource is back");
}

/** Lists say so from now on. Returns the refusal for whoever asked. */
export async function recordFileMissing(ctx: Context, resource: ResourceRow): Promise<Refusal> {
  if (resource.fileMissingSince === null) await setFileMissing(ctx.db, [resource.id], ctx.clock.now());
  ctx.log.error({ resource: resource.id }, "the file of a resource is missing");
  return new Refusal("unavailable", "This file cannot be found for now. Please try again later.", {
    retryAfterSeconds: 300,
  });
}

interface Counting {
  /** Written by the next transaction, which has not begun. */
  next: { userIds: string[]; written: Promise<void> } | null;
  /** The transaction under way, or the last one. */
  last: Promise<void>;
}

const countings = new WeakMap<Context, Map<string, Counting>>();

/**
 * Counts one download of the whole file and notes whose it was; it is in the database when this resolves. A thousand at
 * once would queue for the same row one by one: what arrives while the row is being written is written together after it.
 */
export function recordDownload(ctx: Context, id: string, userId: string): Promise<void> {
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
