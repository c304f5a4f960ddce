import { useSyncExternalStore } from "react";
import type { DetailedError, Upload } from "tus-js-client";
import { api, errorOf, messageOf, viewer } from "#app/api/api.ts";
import { deleteVideo, tellHash, type UploadedVideo, videosPath } from "#contract/admin/studio.ts";
import { type Point, rateOf, withPoint } from "./rate.ts";

/** The upload of this page. It goes on while the administrator works elsewhere in the administration. */
export interface Sending {
  readonly file: File;
  /** The content for which it was chosen. */
  readonly place: string;
  /** Null until the server has begun the upload. */
  readonly id: string | null;
  readonly phase: "sending" | "waiting" | "paused" | "failed" | "whole";
  /** Bytes. */
  readonly sent: number;
  /** Bytes a second; null while nobody can tell. */
  readonly rate: number | null;
  /** Why it failed, as a sentence. */
  readonly reason: string | null;
  /** Of the file on this computer, once it was read. */
  readonly sha256: string | null;
}

const pieceBytes = 8 * 1024 * 1024;
/** Milliseconds; each piece that arrives begins anew. About two hours altogether. */
const retryDelays = [0, 1000, 3000, 5000, 10_000, ...Array.from({ length: 240 }, () => 30_000)];

let sending: Sending | null = null;
let upload: Upload | null = null;
let hashing: Worker | null = null;
let points: readonly Point[] = [];
const listeners = new Set<() => void>();

export function useSending(): Sending | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sending,
    () => null,
  );
}

function change(changes: Partial<Sending>): void {
  if (!sending) return;
  const { id, sha256, phase } = sending;
  tell({ ...sending, ...changes });
  if (id !== sending.id || sha256 !== sending.sha256 || phase !== sending.phase) void tellServerHash(sending);
}

/** The upload whose hash the server knows. */
let told: string | null = null;

/** The server refuses a video that arrived differently. What fails is tried again with the next change. */
async function tellServerHash({ id, sha256 }: Sending): Promise<void> {
  if (id === null || sha256 === null || told === `${id} ${sha256}`) return;
  told = `${id} ${sha256}`;
  await api(tellHash, { params: { id }, body: { sha256 } }).catch(() => {
    told = null;
  });
}

function tell(next: Sending | null): void {
  sending = next;
  for (const listener of listeners) listener();
}

const isUnderWay = () => sending?.phase === "sending" || sending?.phase === "waiting";

globalThis.addEventListener?.("beforeunload", (event) => {
  if (isUnderWay()) event.preventDefault();
});
// Without waiting for the next try.
globalThis.addEventListener?.("online", () => {
  if (sending?.phase === "waiting") void upload?.abort().then(() => upload?.start());
});

/** Begins to send a file, or continues an earlier upload of it. */
export async function sendVideo(file: File, place: string, earlier: UploadedVideo | undefined): Promise<void> {
  points = [];
  const sent = earlier?.received ?? 0;
  tell({ file, place, id: earlier?.id ?? null, phase: "sending", sent, rate: null, reason: null, sha256: null });
  hashInBackground(file);
  try {
    const { Upload } = await import("tus-js-client");
    const address = `${window.location.origin}${videosPath}`;
    upload = new Upload(file, {
      endpoint: address,
      uploadUrl: earlier ? `${address}/${earlier.id}` : null,
      chunkSize: pieceBytes,
      retryDelays,
      metadata: { filename: file.name },
      headers: { ...viewer },
      // The server lists what is unfinished, for every browser.
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => change({ id: upload?.url?.split("/").at(-1) ?? null }),
      onProgress: (sent) => {
        points = withPoint(points, { at: performance.now(), sent });
        change({ phase: "sending", sent, rate: rateOf(points) });
      },
      onShouldRetry: (error) => {
        const isWorthIt = isTransient(statusOf(error));
        if (isWorthIt) change({ phase: "waiting", rate: null });
        return isWorthIt;
      },
      onError: fail,
      onSuccess: () => change({ phase: "whole", sent: file.size, rate: null }),
    });
    upload.start();
  } catch (error) {
    fail(error);
  }
}

export async function pauseSending(): Promise<void> {
  await upload?.abort();
  change({ phase: "paused", rate: null });
}

/** After a pause or a failure. */
export function resumeSending(): void {
  points = [];
  change({ phase: "sending", reason: null });
  upload?.start();
}

/** Forgets the upload on this page. The server keeps what it has. */
export function forgetSending(): void {
  hashing?.terminate();
  upload = null;
  tell(null);
}

/** Ends an unfinished upload, and removes what the server has of it. */
export async function cancelSending(): Promise<void> {
  const id = sending?.id;
  await pauseSending();
  if (id) await api(deleteVideo, { params: { id } });
  forgetSending();
}

function hashInBackground(file: File): void {
  hashing?.terminate();
  hashing = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
  hashing.addEventListener("message", ({ data }: MessageEvent<string>) => change({ sha256: data }));
  hashing.postMessage(file);
}

function fail(error: unknown): void {
  const refused = (error as Partial<DetailedError>).originalResponse;
  const reason = messageOf(
    refused ? errorOf(refused.getStatus(), "", refused.getBody()) : error,
    "We couldn’t send this file. Check your connection and try again.",
  );
  change({ phase: "failed", reason, rate: null });
}

const statusOf = (error: DetailedError) => error.originalResponse?.getStatus() ?? 0;

/** No answer, an upload that somebody else still sends, a busy server, or one that is away. A full disk is neither. */
function isTransient(status: number): boolean {
  return [0, 409, 423, 429].includes(status) || (status >= 500 && status !== 507);
}
