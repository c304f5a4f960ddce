import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readConfig } from "#server/context/config.ts";
import { openDb } from "#server/db/db.ts";
import { openAcademy, type RunningAcademy } from "#test/academy.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { waitingAs, whileLocked } from "#test/locks.ts";
import { environmentOf, findingOn } from "#test/operate.ts";
import { programEnv } from "#test/program-env.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { archiveIn } from "./archive.ts";
import { backUpOnce } from "./backup-destinations.ts";
import { readManifest } from "./manifest.ts";
import { findBackupNote } from "./scheduled-backups.ts";

// The doctor reports an earlier backup of an academy that tests share.
const { test } = await academyOfFile();
const root = folderOfFile();

/** Keeps every backup half way, with some tables written and one that it waits for. */
const hold = "lock table course_resources in access exclusive mode";

/** Past the time in which it might still be written. */
async function age(folder: string, leftover: string): Promise<void> {
  const anHourAgo = (Date.now() - 61 * 60_000) / 1000;
  await utimes(join(folder, leftover), anHourAgo, anHourAgo);
}

const leftoverOf = (files: string[]) => files.find((name) => /\.tar\.unfinished-\w{20}$/.test(name)) ?? "";
const backupsOf = (files: string[]) => files.filter((name) => name.endsWith(".tar"));

test("a killed backup leaves no backup, and the next one succeeds and cleans up [I12]", async ({ academy }) => {
  const folder = join(root, "by-hand");
  const env = { ...environmentOf(academy), BACKUP_TO: folder };
  await whileLocked(academy.pool, hold, [], async () => {
    const child = spawn(process.execPath, ["scripts/operate.ts", "backup"], { env: { ...programEnv, ...env } });
    const exit = once(child, "exit");
    await Promise.race([exit, waitingAs(academy.pool, "academy backup")]);
    child.kill("SIGKILL");
    await exit;
  });
  const leftover = leftoverOf(await readdir(folder));
  expect(await readdir(folder)).toEqual([leftover]);
  expect((await stat(join(folder, leftover))).mode & 0o777).toBe(0o600);
  expect((await findingOn("Backup", env))?.detail).toMatch(/^none was made on this machine/);

  for (const expected of [[leftover], []]) {
    // Two of one second would have the same name.
    const path = join(folder, `${expected.length}.tar`);
    await backUpOnce(readConfig(env), path, "1.2.3", new AbortController().signal);
    expect((await readManifest(archiveIn(path))).tables.length).toBeGreaterThan(10);
    expect((await readdir(folder)).filter((name) => !name.endsWith(".tar"))).toEqual(expected);
    if (expected.length > 0) await age(folder, leftover);
  }
});

const noteOf = ({ pool }: RunningAcademy) => findBackupNote(openDb(pool as Parameters<typeof openDb>[0]));

/** `killed-backup.long.test.ts` kills the academy, too. */
if (process.env.KILLS_ACADEMY === "yes") {
  test("an academy killed during a backup or its verification makes and verifies the next one [I12]", async () => {
    const folder = mkdtempSync(join(root, "by-itself-"));
    await using academy = await openAcademy({ BACKUP_EVERY: "6h", BACKUP_TO: folder });
    const scratch = join(academy.dataDir, "verifying");
    await until(
      async () => existsSync(join(scratch, "postgres", "postmaster.pid")) || (await noteOf(academy))?.verifiedAt,
    );
    await academy.kill();
    const [first = ""] = backupsOf(await readdir(folder));
    expect(await readdir(folder)).toEqual([first]);
    await readManifest(archiveIn(join(folder, first)));
    await academy.start();
    // The job that died is claimed anew.
    await academy.advance("5m");
    await until(async () => (await noteOf(academy))?.verifiedAt);
    await until(async () => !existsSync(scratch));

    const before = backupsOf(await readdir(folder));
    await whileLocked(academy.pool, hold, [], async () => {
      const advancing = academy.advance("6h").catch(() => {});
      await waitingAs(academy.pool, "academy backup");
      await academy.kill();
      await advancing;
    });
    const files = await readdir(folder);
    const leftover = leftoverOf(files);
    expect(files.sort()).toEqual([...before, leftover].sort());
    expect(before).toContain((await noteOf(academy))?.name);
    await age(folder, leftover);
    await academy.start();
    await academy.advance("5m");
    await until(async () => !before.includes((await noteOf(academy))?.name ?? before[0] ?? ""));
    const name = (await noteOf(academy))?.name ?? "";
    await readManifest(archiveIn(join(folder, name)));
    expect(await readdir(folder)).not.toContain(leftover);
  });
}
