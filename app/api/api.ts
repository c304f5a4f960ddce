import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { viewerHeader } from "#contract/identity/identity.ts";
import type { Problem } from "#contract/problem.ts";

/** Any answer that is not ok, or none at all. The message is `"<status>: <body text or status text>"`. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  /** What the server said about the refusal; null when the body was something else. */
  readonly problem: Problem | null;
  readonly body: string;

  constructor(status: number, message: string, body = "") {
    super(message);
    this.status = status;
    this.problem = problemIn(body);
    this.body = body;
  }
}

type Part<Name extends string, Schema extends z.ZodType> = Schema extends z.ZodUndefined
  ? { [Key in Name]?: never }
  : { [Key in Name]: z.input<Schema> };

type Call<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Part<"params", Params> &
  Part<"query", Query> &
  Part<"body", Body> & {
    /** For the endpoints that take a multipart form in place of JSON. */
    form?: FormData;
    signal?: AbortSignal | undefined;
    /** The request outlives the page; for what is said on leaving it. */
    keepalive?: boolean;
  };

/**
 * Calls one endpoint of the contract with the session's credentials and gives its JSON reply. The server filters its
 * replies by the same schema, so they are not parsed a second time here.
 * @throws ApiError for any answer that is not ok and when the server cannot be reached
 */
export async function api<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  ...[call]: Record<never, never> extends Call<Params, Query, Body>
    ? [call?: Call<Params, Query, Body>]
    : [call: Call<Params, Query, Body>]
): Promise<z.output<Reply>> {
  const {
    params,
    query,
    body,
    form,
    signal,
    keepalive = false,
  } = (call ?? {}) as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    form?: FormData;
    signal?: AbortSignal;
    keepalive?: boolean;
  };
  const response = await answer(addressOf(endpoint.path, params, query), {
    method: endpoint.method,
    credentials: "same-origin",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form ? { body: form } : {}),
    ...(signal ? { signal } : {}),
    keepalive,
  });
  return JSON.parse(await textOf(response)) as z.output<Reply>;
}

/**
 * Fetches the file that an address gives and has the browser save it under the name that the server names.
 * @param body what is posted; without one, the address says it all.
 * @throws ApiError as `api` does: a plain link would leave the page for the refusal.
 */
export async function saveFile(address: string, body?: unknown): Promise<void> {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await answer(address, { credentials: "same-origin", ...(body !== undefined && posted) });
  if (!response.ok) await textOf(response);
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = file;
  link.download = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "";
  link.click();
  // Not at once: some browsers begin to save only after this turn.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/**
 * Has the browser save the file at an address, of whatever size, once the server says that it would send it.
 * @throws ApiError when it would not
 */
export async function startDownload(address: string): Promise<void> {
  const { ok } = await answer(address, { method: "HEAD", credentials: "same-origin" });
  if (!ok) await explainRefusal(address);
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

/** Asks for the first byte alone, as what refuses HEAD cannot say why. @throws ApiError when that is refused too */
async function explainRefusal(address: string): Promise<void> {
  const response = await answer(address, { credentials: "same-origin", headers: { range: "bytes=0-0" } });
  await textOf(response);
}

/** The failure that an answer tells of. */
export function errorOf(status: number, statusText: string, text: string): ApiError {
  return new ApiError(status, `${status}: ${text || statusText}`, text);
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  throw errorOf(response.status, response.statusText, text);
}

/** Where the body of a failure says what is wrong: in a field of its JSON, or as nothing but the sentence. */
export type WordsIn = "message" | "error" | "details" | "text";

/** The sentence to show for a failure: the first that the server gave in one of `wordsIn`, else `fallback`. */
export function messageOf(error: unknown, fallback: string, wordsIn: readonly WordsIn[] = ["message"]): string {
  if (!(error instanceof ApiError)) return fallback;
  const fields = objectIn(error.body) ?? { text: plainText(error.body) };
  const found = wordsIn.map((name) => fields[name]).find((words) => typeof words === "string" && words.trim() !== "");
  return (found as string | undefined) ?? fallback;
}

/** The first sentence about each field for which the server refused the input. */
export function faultsIn(error: unknown): Partial<Record<string, string>> {
  const errors = (error instanceof ApiError && error.problem?.errors) || {};
  return Object.fromEntries(Object.entries(errors).map(([field, [sentence]]) => [field, sentence]));
}

/** Whether somebody else was quicker: what is on screen is of before. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409].includes(error.status);
}

/** Whether somebody else than the page was made for is signed in with this browser now. */
export function isSomebodyElse(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === "signed-in-as-another";
}

/** The header that says whose a request is; every request of a signed-in page carries it. */
export let viewer: Readonly<Record<string, string>> = {};

/** From now on every call says that it is this person's: another tab may sign somebody else in. */
export function speakFor(userId: string): void {
  viewer = { [viewerHeader]: userId };
}

async function answer(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...request, headers: { ...request.headers, ...viewer } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "0: The academy could not be reached. Check your connection and try again.");
  }
}

function addressOf(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function problemIn(text: string): Problem | null {
  const body: Partial<Problem> | null = objectIn(text);
  return typeof body?.code === "string" && typeof body.message === "string" ? (body as Problem) : null;
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" ? (body as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** A proxy's page is no sentence. */
function plainText(text: string): string {
  return text.trimStart().startsWith("<") ? "" : text.trim();
}
