import { constants, readFileSync } from "node:fs";
import { access, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { after, DAY } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { deleteOperationalMark, findOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { type HandledJob, handleJob } from "#server/jobs/runner.ts";
import { sentenceFor } from "#server/process/sentence-for.ts";
import type { ArchiveSource } from "./archive.ts";
import { backUp, backupName } from "./backup.ts";
import { type BackupDestination, inFolder, inStore } from "./backup-destinations.ts";
import { OperationRefused } from "./connect-database.ts";
import { newVerificationKey, requireRecipients } from "./encryption.ts";
import { verifyBackup } from "./verify-backup.ts";
import { verifyCopies } from "./video-copies.ts";

const backUpJob = defineJob("back-up", z.object({}));

/** What is recorded about scheduled backups, for all nodes. */
const BackupNote = z.object({
  madeAt: z.iso.datetime(),
  name: z.string(),
  size: z.int(),
  /** Null until one was verified. */
  verifiedAt: z.iso.datetime().nullable(),
  verifiedName: z.string().nullable(),
});
export type BackupNote = z.infer<typeof BackupNote>;

/** Why the newest try failed, until one succeeds. */
const BackupFailure = z.object({ failedAt: z.iso.datetime(), reason: z.string() });
export type BackupFailure = z.infer<typeof BackupFailure>;

const noteName = "backups";
const failureName = "backup-failure";
const verifyEvery = 7 * DAY;

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

export async function findBackupNote(db: Db): Promise<BackupNote | null> {
  return BackupNote.safeParse((await findOperationalMark(db, noteName))?.value).data ?? null;
}

export async function findBackupFailure(db: Db): Promise<BackupFailure | null> {
  return BackupFailure.safeParse((await findOperationalMark(db, failureName))?.value).data ?? null;
}

export interface ScheduledBackups {
  readonly job: HandledJob<Context>;
  /** Schedules the next backup, at once when none is recent. Safe to repeat. */
  schedule(db: Db, now: Date): Promise<void>;
  /** Aborts a backup under way, which is made again after the next start. */
  stop(): void;
}

/** @throws OperationRefused when the folder cannot be written, or a recipient is none */
export async function scheduledBackups(config: Config): Promise<ScheduledBackups> {
  const { every, folder, recipients } = config.backups;
  if (every !== null) {
    if (recipients.length > 0) await requireRecipients(recipients);
    // Only the default folder is made: another one must exist, or its volume is not mounted.
    if (folder === join(config.dataDir, "backups")) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await access(folder, constants.W_OK | constants.X_OK).catch(() => {
      throw new OperationRefused(`BACKUP_TO ${folder} is no folder that the academy may write: make it, or mount it.`);
    });
  }
  const stopping = new AbortController();
  // One at a time: a retry of the one before may be under way.
  let turn: Promise<void> = Promise.resolve();
  return {
    job: handleJob(backUpJob, (ctx: Context) => {
      const mine = turn.catch(() => {}).then(() => backUpOrSay(ctx, config, stopping.signal));
      turn = mine;
      return mine;
    }),
    async schedule(db, now) {
      if (every === null) return;
      const note = await findBackupNote(db);
      const isDue = !note || after(new Date(note.madeAt), every) <= now;
      const runAt = isDue ? now : nextAfter(now, every);
      await scheduleJob(db, backUpJob, { data: {}, key: isDue ? "first" : runAt.toISOString(), runAt, now });
    },
    stop: () => stopping.abort(new Error("the academy stops")),
  };
}

function nextAfter(now: Date, every: number): Date {
  return new Date((Math.floor(now.getTime() / every) + 1) * every);
}

async function backUpOrSay(ctx: Context, config: Config, signal: AbortSignal): Promise<void> {
  try {
    await backUpRegularly(ctx, config, signal);
  } catch (error) {
    const reason = sentenceFor(error, { hasAdvice: false }) ?? (error instanceof Error ? error.message : String(error));
    const failure = { failedAt: ctx.clock.now().toISOString(), reason };
    // Without the database, the log alone says why.
    if (!signal.aborted) await recordOperationalMark(ctx.db, failureName, failure, ctx.clock.now()).catch(() => {});
    throw error;
  }
}

async function backUpRegularly(ctx: Context, config: Config, signal: AbortSignal): Promise<void> {
  const { every, keep, folder } = config.backups;
  // BACKUP_EVERY is no longer set.
  if (every === null) return;
  signal.throwIfAborted();
  const now = ctx.clock.now();
  // Schedules the next one first, so that it comes even when this one fails for good.
  const runAt = nextAfter(now, every);
  await scheduleJob(ctx.db, backUpJob, { data: {}, key: runAt.toISOString(), runAt, now });

  const isInFolder = config.backups.to === "folder";
  const destination = isInFolder ? inFolder(folder) : inStore(ctx.storage, join(config.dataDir, "outgoing-backups"));
  await destination.prepare();
  const before = await findBackupNote(ctx.db);
  const isVerified = before?.verifiedAt && after(new Date(before.verifiedAt), verifyEvery) > now;
  const verificationKey =
    !isVerified && config.backups.recipients.length > 0 ? await newVerificationKey(config.backups.recipients) : null;

  const name = backupName(config, now);
  const path = join(destination.folder, name);
  // The backup of an earlier attempt of this job that died before it recorded it.
  await rm(path, { force: true });
  const { size } = await backUp(config, path, version, {
    signal,
    alsoFor: verificationKey ? [verificationKey.recipient] : [],
    openCopies: destination.openCopies,
    deliver: () => destination.take(name),
  });
  const note = {
    madeAt: now.toISOString(),
    name,
    size,
    verifiedAt: before?.verifiedAt ?? null,
    verifiedName: before?.verifiedName ?? null,
  };
  await recordOperationalMark(ctx.db, noteName, note, now);
  await deleteOperationalMark(ctx.db, failureName);
  ctx.log.info({ name, size }, "a backup was made");

  const source = decryptedBy(destination.source(name), verificationKey);
  if (!isVerified && (await isRestorable(ctx, config, { source, destination, signal }))) {
    Object.assign(note, { verifiedAt: now.toISOString(), verifiedName: name });
    await recordOperationalMark(ctx.db, noteName, note, now);
    ctx.log.info({ name }, "the newest backup was restored into a database of its own and compared");
  }
  const newest = (await destination.list()).sort().slice(-keep);
  const kept = new Set([...newest, ...(note.verifiedName ? [destination.idOf(note.verifiedName)] : [])]);
  for (const old of await destination.list()) if (!kept.has(old)) await destination.remove(old);
  // A retry would make another backup.
  await destination.pruneCopies().catch((err) => ctx.log.warn({ err }, "old copies of videos could not be deleted"));
}

/**
 * Whether the backup can be restored; false also without a PostgreSQL to try it. Does not fail the job: each retry
 * would make another backup, until they fill the disk or have replaced all older ones. The next backup is verified
 * instead.
 */
async function isRestorable(
  ctx: Context,
  { dataDir, backups: { recipients } }: Config,
  { source, destination, signal }: { source: ArchiveSource; destination: BackupDestination; signal: AbortSignal },
): Promise<boolean> {
  try {
    const { videos } = await verifyBackup(dataDir, abortable(source, signal));
    if (videos.length > 0) await verifyCopies(await destination.openCopies(), videos, { recipients, signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    const { name: job } = backUpJob;
    if (error instanceof DatabaseUnavailable) ctx.log.warn({ job, reason: error.message }, "backups are not verified");
    else ctx.log.error({ job, err: error }, "the newest backup cannot be restored");
    return false;
  }
}

function decryptedBy(
  source: ArchiveSource,
  verificationKey: Awaited<ReturnType<typeof newVerificationKey>> | null,
): ArchiveSource {
  return verificationKey ? async () => verificationKey.open(await source()) : source;
}

function abortable(source: ArchiveSource, signal: AbortSignal): ArchiveSource {
  return async () => (await source()).pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
}
