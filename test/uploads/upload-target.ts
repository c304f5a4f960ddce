import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { type Academy, openAcademy } from "../academy.ts";
import { figureOf } from "../metrics.ts";
import { until } from "../until.ts";
import type { Visitor } from "../visitor.ts";

/** An academy with a limit of one megabyte per file, with checks of its disk and memory. */
export interface UploadTarget extends AsyncDisposable {
  readonly academy: Academy;
  readonly admin: Visitor;
  /** Uploads as the administrator, and counts accepted files. */
  send(
    body: FormData | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string | null>,
  ): Promise<{ status: number; type: string | null; body: { message: string; resources: Resource[] } }>;
  /** The names of incomplete uploads. */
  incoming(): Promise<string[]>;
  /** The names of stored files. */
  stored(): Promise<string[]>;
  /** Asserts that there is exactly one file and one row for each accepted file, and that memory has not grown. */
  expectNothingLeft(): Promise<void>;
}

const maxGrowth = 150 * 1024 * 1024;

export async function openUploadTarget(): Promise<UploadTarget> {
  const academy = await openAcademy({ UPLOAD_LIMIT_MB: "1" });
  const { dataDir } = academy;
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
  const memory = () => figureOf(academy, "process_resident_memory_bytes");
  const incoming = () => readdir(join(dataDir, "files", "incoming"));
  const stored = () => readdir(join(dataDir, "files", "resources"));
  const memoryAtFirst = await memory();
  let accepted = (await list()).length;
  return {
    academy,
    admin,
    incoming,
    stored,
    async send(form, headers) {
      const response = await admin.send("POST", "/api/upload-resource", form, headers);
      const body = (await response.json()) as { message: string; resources: Resource[] };
      if (response.ok) accepted += body.resources.length;
      return { status: response.status, type: response.headers.get("content-type"), body };
    },
    async expectNothingLeft() {
      await until(async () => (await incoming()).length === 0);
      const kept = { resources: (await list()).length, files: (await stored()).length };
      const expected = { resources: accepted, files: accepted };
      // Reset, so that the following tests do not fail for the same reason.
      accepted = kept.resources;
      expect(kept).toEqual(expected);
      expect((await memory()) - memoryAtFirst).toBeLessThan(maxGrowth);
    },
    [Symbol.asyncDispose]: () => academy[Symbol.asyncDispose](),
  };
}
