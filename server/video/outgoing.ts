import { SECOND } from "#server/base/clock.ts";

/** The service did not answer, or not as expected; a retry may succeed. */
export class NoDescription extends Error {
  override name = "NoDescription";
}

const answerTimeout = 5 * SECOND;
const pictureTimeout = 20 * SECOND;
/** Bytes; descriptions have one or two thousand. */
const maxAnswerBytes = 64 * 1024;

interface Answer {
  readonly status: number;
  /** The parsed body of a 200; else null. */
  readonly body: unknown;
}

/** Follows no redirects. @param referer tells the service which site asks @throws NoDescription. */
export function askForJson(address: URL, referer: string): Promise<Answer> {
  return attempt(async () => {
    const response = await ask(address, { accept: "application/json", referer }, answerTimeout);
    const bytes = await readShort(response, maxAnswerBytes);
    return { status: response.status, body: response.ok ? JSON.parse(bytes.toString("utf8")) : null };
  });
}

interface Part {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** A part of a file; fewer bytes at its end. @throws NoDescription, also when the server ignores ranges */
export function askForPart(address: URL, from: number, length: number): Promise<Part> {
  return attempt(async () => {
    const range = `bytes=${from}-${from + length - 1}`;
    const response = await ask(address, { range, "accept-encoding": "identity" }, answerTimeout);
    // 416: the range begins past the end of the file.
    if (response.status !== 206) {
      await response.body?.cancel();
      if (response.ok) throw new Error("it sends no parts of files");
      return { status: response.status, bytes: new Uint8Array() };
    }
    return { status: 206, bytes: await readShort(response, length) };
  });
}

/** @throws NoDescription, also from the stream */
export function askForPicture(
  address: URL,
  referer: string,
): Promise<{ status: number; content: AsyncIterable<Uint8Array> }> {
  return attempt(async () => {
    const response = await ask(address, { accept: "image/jpeg, image/png, image/webp", referer }, pictureTimeout);
    if (!response.ok) await response.body?.cancel();
    return { status: response.status, content: chunksOf(response) };
  });
}

function ask(address: URL, headers: Record<string, string>, milliseconds: number): Promise<Response> {
  return fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(milliseconds) });
}

async function attempt<Value>(make: () => Promise<Value>): Promise<Value> {
  try {
    return await make();
  } catch (error) {
    throw noDescription(error);
  }
}

function noDescription(error: unknown): NoDescription {
  const { message, cause } = error as Error;
  return new NoDescription(cause instanceof Error ? `${message}: ${cause.message}` : message);
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk;
  } catch (error) {
    throw noDescription(error);
  }
}

/** @throws Error when the body is longer than `limit` bytes */
async function readShort(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new Error("it answered with more than was asked for");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
