import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";
import { archiveIn, readArchive, writeArchive } from "./archive.ts";

test("skipping an entry leaves the next one complete, however the archive is chunked", async () => {
  const folder = folderOfTest();
  const path = join(folder, "some.tar");
  const long = Buffer.alloc(3000, "b");
  await writeArchive(path, async (add) => {
    await add("skipped", Buffer.alloc(700, "a"));
    await add("also skipped", Buffer.alloc(700, "a"));
    await add("read", long);
    await add("last", Buffer.from("c"));
  });
  const bytes = readFileSync(path);
  for (let cut = 512; cut < bytes.length; cut += 512) {
    const source = async () => ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
    const read: Record<string, number> = {};
    for await (const { name, content } of readArchive(source)) {
      if (!name.endsWith("skipped")) read[name] = (await buffer(content)).length;
    }
    expect(read, `cut at ${cut}`).toEqual({ read: 3000, last: 1 });
  }
});

test("a slow reader that stops half way ends the reading, and not the process", async () => {
  const path = join(folderOfTest(), "long.tar");
  await writeArchive(path, async (add) => {
    for (let at = 0; at < 30; at++) await add(`files/${at}`, Buffer.alloc(100_000));
  });
  for (let last = 3; last < 30; last += 3) {
    for await (const { name, content } of readArchive(archiveIn(path))) {
      if (name === `files/${last}`) break;
      await buffer(content);
      await pause(3);
    }
  }
  // Vitest reports what is thrown outside of every promise.
  await pause(20);
});
