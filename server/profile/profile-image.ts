import { z } from "zod";
import type { ProfileImage } from "#contract/profile.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { changeProfileImage, findUserByImage, type User, userMay } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { deleteOwnFile, requireOwnStore } from "#server/storage/owner.ts";
import type { StoredContent, WholeFile } from "#server/storage/storage.ts";
import { makePicture } from "./picture.ts";

const uploads = { max: 30, window: HOUR, message: "You've uploaded too many pictures. Please try again in an hour." };

/** Counts across all nodes. @throws Refusal too-many-requests. */
export async function countUpload(ctx: Context, user: User): Promise<void> {
  await countUse(ctx.db, `profile-image ${user.id}`, uploads, ctx.clock.now());
}

/** Leaves no file behind when it crashes. @throws Refusal unreadable-image, infected, unavailable. */
export async function saveProfileImage(ctx: Context, user: User, { path }: WholeFile): Promise<ProfileImage> {
  const now = ctx.clock.now();
  await ctx.scanner?.requireClean(path);
  const picture = await makePicture(path);
  await requireOwnStore(ctx);
  const name = newId();
  // Scheduled before the file exists: the job deletes the file if no profile shows it by then.
  await scheduleSweep(ctx, name, after(now, 10 * MINUTE));
  await ctx.storage.put(keyOf(name), picture);
  return showImage(ctx, user, addressOf(name));
}

export function removeProfileImage(ctx: Context, user: User): Promise<ProfileImage> {
  return showImage(ctx, user, null);
}

/** Its owner and those who may see people may read it. @throws Refusal not-found. */
export async function readProfileImage(ctx: Context, reader: User, name: string): Promise<StoredContent> {
  const owner = await findUserByImage(ctx.db, addressOf(name));
  const mayRead = owner && (owner.id === reader.id || userMay(ctx, reader, "people:read"));
  const content = mayRead ? await ctx.storage.read(keyOf(name)) : null;
  if (!content) throw notFound("picture");
  return content;
}

export async function findProfileImage(ctx: Context, { profileImageUrl }: User): Promise<StoredContent | null> {
  const key = profileImageUrl && imageKeyOf(profileImageUrl);
  return key ? ctx.storage.read(key) : null;
}

export function imageKeyOf(profileImageUrl: string): string | null {
  const name = nameIn(profileImageUrl);
  return name && keyOf(name);
}

export const sweepProfileImageJob = defineJob("sweep-profile-image", z.object({ name: z.string() }));

/** Deletes the file unless a profile shows it. */
export async function sweepProfileImage(ctx: Context, { name }: { name: string }): Promise<void> {
  if (await findUserByImage(ctx.db, addressOf(name))) return;
  await deleteOwnFile(ctx, keyOf(name));
}

/** Call in the transaction that removes the picture from the profile. */
export async function scheduleRemoval(db: Context["db"], profileImageUrl: string | null, now: Date): Promise<void> {
  const name = profileImageUrl && nameIn(profileImageUrl);
  if (name) await scheduleJob(db, sweepProfileImageJob, { data: { name }, runAt: now, now });
}

async function showImage(ctx: Context, user: User, profileImageUrl: string | null): Promise<ProfileImage> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await scheduleRemoval(tx, await changeProfileImage(tx, user.id, profileImageUrl, now), now);
  });
  return { profileImageUrl };
}

async function scheduleSweep(ctx: Context, name: string, runAt: Date): Promise<void> {
  await scheduleJob(ctx.db, sweepProfileImageJob, { data: { name }, runAt, now: ctx.clock.now() });
}

function keyOf(name: string): string {
  return `portraits/${name}`;
}

function addressOf(name: string): string {
  return `/api/profile-images/${name}`;
}

function nameIn(address: string): string | null {
  return /^\/api\/profile-images\/(\w+)$/.exec(address)?.[1] ?? null;
}
