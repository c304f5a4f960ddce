import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { eicar, openMalwareScanner } from "#test/stand-ins/malware-scanner.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { clamdScanner } from "./scanner.ts";

const folder = folderOfFile();
const malwareScanner = await openMalwareScanner(5_000_000);
afterAll(() => malwareScanner[Symbol.asyncDispose]());

async function scan(content: Buffer, idle?: number): Promise<unknown> {
  const path = join(folder, randomBytes(8).toString("hex"));
  await writeFile(path, content);
  return clamdScanner(malwareScanner.url, idle)
    .requireClean(path)
    .then(
      () => "clean",
      (error) => error,
    );
}

test("a clean file of many chunks passes, and the test virus does not [U22]", async () => {
  expect(await scan(randomBytes(3_000_000))).toBe("clean");
  expect(malwareScanner.seen.at(-1)).toBe(3_000_000);
  expect(await scan(Buffer.alloc(0))).toBe("clean");
  expect(await scan(Buffer.concat([randomBytes(700_000), Buffer.from(eicar)]))).toMatchObject({
    code: "infected",
    message: "The malware scanner found Eicar-Test-Signature in the file. Nothing was stored.",
  });
});

test("nothing passes while the scanner fails, hangs up, is silent or refuses the size [U22]", async () => {
  for (const mode of ["error", "hang-up", "silent"] as const) {
    malwareScanner.mode = mode;
    expect(await scan(Buffer.from("x"), 300), mode).toMatchObject({ code: "unavailable" });
  }
  malwareScanner.mode = "scan";
  expect(await scan(randomBytes(5_000_001))).toMatchObject({ code: "unavailable" });
});

test("nothing passes without a scanner, and its health check fails [U22]", async () => {
  await clamdScanner(malwareScanner.url).greet();
  const away = clamdScanner(`tcp://127.0.0.1:${await freePort()}`);
  await expect(away.greet()).rejects.toThrow("ECONNREFUSED");
  await expect(away.requireClean(import.meta.filename)).rejects.toMatchObject({ code: "unavailable" });
});
