import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { type Academy, openAcademy } from "../academy.ts";
import { until } from "../until.ts";
import type { Visitor } from "../visitor.ts";

/** An academy that takes files of up to a megabyte, and what its disk and its memory hold. */
export interface UploadTarget extends AsyncDisposable {
  readonly academy: Academy;
  readonly admin: Visitor;
  /** Sends an upload as the administrator, and keeps count of what was accepted. */
  send(
    body: FormData | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string | null>,
  ): Promise<{ status: number; type: string | null; body: { message: string; resources: Resource[] } }>;
  /** The names of the files that are being put together. */
  incoming(): Promise<string[]>;
  /** The names of the files in the store. */
  stored(): Promise<string[]>;
  /** Fails unless there is a file and a row for each that was accepted, nothing else, and the memory of the beginning. */
  expectNothingLeft(): Promise<void>;
}

const maxGrowth = 150 * 1024 * 1024;

export async function openUploadTarget(): Promise<UploadTarget> {
  const academy = await openAcademy({ UPLOAD_LIMIT_MB: "1" });
  const { dataDir } = academy;
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
  const memory = async () => {
    const text = await (await fetch(`${academy.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
  };
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
      // What is wrong is told once, and not of every test that follows.
      accepted = kept.resources;
      expect(kept).toEqual(expected);
      expect((await memory()) - memoryAtFirst).toBeLessThan(maxGrowth);
    },
    [Symbol.asyncDispose]: () => academy[Symbol.asyncDispose](),
  };
}
