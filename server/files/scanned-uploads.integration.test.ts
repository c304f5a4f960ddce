import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { checkVideo } from "#contract/admin/videos.ts";
import { uploadProfileImage } from "#contract/profile.ts";
import * as drafts from "#test/drafts.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { findingsOf } from "#test/operate.ts";
import { eicar, openMalwareScanner } from "#test/stand-ins/malware-scanner.ts";
import { until } from "#test/until.ts";
import { samples, sendPicture, uploadForm, zipOf } from "#test/uploads/uploads.ts";

const scanner = await forFile(openMalwareScanner());
const { academy, administrator: admin, test } = await academyOfFile({ CLAMAV_URL: scanner.url });
beforeEach(() => {
  scanner.mode = "scan";
});

/** Every file that the academy keeps, or has under way. */
async function filesKept(): Promise<string[]> {
  const names = await readdir(join(academy.dataDir, "files"), { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function sendFiles(...contents: Buffer<ArrayBuffer>[]) {
  const files = contents.map((content, at) => ({ name: `${at}.zip`, content }));
  const response = await admin.send("POST", "/api/upload-resource", uploadForm(files));
  return { status: response.status, body: (await response.json()) as { message: string } };
}

const infected = zipOf({ "eicar.com": eicar });

test("an infected file is refused with what was found, and nothing of its upload is kept [U22]", async () => {
  const before = await filesKept();
  const { status, body } = await sendFiles(samples.zip, infected);
  expect([status, body.message]).toEqual([
    422,
    "The malware scanner found Eicar-Test-Signature in the file. Nothing was stored.",
  ]);
  expect(await filesKept()).toEqual(before);
  expect((await sendFiles(samples.zip)).status).toBe(200);
});

test("a picture, also of a video from its service, is scanned before it is decoded [U22]", async () => {
  const before = await filesKept();
  expect((await sendPicture(admin, uploadProfileImage.path, "profileImage", Buffer.from(eicar))).status).toBe(422);
  expect(await filesKept()).toEqual(before);

  const scanned = scanner.seen.length;
  const videoId = "vimeo:76979871";
  expect((await drafts.draft(admin, "lessons", "lesson-1-3", { videoId, captions: null })).status).toBe(200);
  await until(async () => (await admin.call(checkVideo, { query: { videoId } })).body.poster);
  expect(scanner.seen).toHaveLength(scanned + 1);
});

test("while the scanner fails nothing is accepted, and the doctor reports it [U22]", async () => {
  const before = await filesKept();
  for (const mode of ["error", "hang-up"] as const) {
    scanner.mode = mode;
    const { status, body } = await sendFiles(samples.zip);
    expect([status, body.message], mode).toEqual([
      503,
      "We couldn't check the file for malware, so we didn't save it. Please try again later.",
    ]);
    expect((await sendPicture(admin, uploadProfileImage.path, "profileImage", Buffer.from("x"))).status).toBe(503);
  }
  expect(await filesKept()).toEqual(before);

  const environment = { DATA_DIR: academy.dataDir, PORT: "9", CLAMAV_URL: scanner.url };
  const says = async () => (await findingsOf(environment))["Malware scanner"];
  expect(await says()).toBe("ok answers");
  await scanner[Symbol.asyncDispose]();
  expect(await says()).toMatch(/^PROBLEM .* Check CLAMAV_URL\.$/);
  expect((await sendFiles(samples.zip)).status).toBe(503);
});
