import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "#server/context/config.ts";
import { adoptFiles } from "#server/operations/adopt-files.ts";
import { openStorage } from "#server/storage/open.ts";

/** Moves the copied files of the academy with this environment to its object store, as its own. */
export async function fillStore(env: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(env);
  const files = join(config.dataDir, "files");
  const storage = await openStorage(config.storage, files);
  for (const name of await readdir(join(files, "resources"))) {
    await storage.put(`resources/${name}`, await readFile(join(files, "resources", name)));
  }
  await adoptFiles(config);
}
