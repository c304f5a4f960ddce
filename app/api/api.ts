import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { viewerHeader } from "#contract/identity/identity.ts";
import type { Problem } from "#contract/problem.ts";
import { outlast } from "#ui/feedback/outlast.ts";

/** A reply that is not ok, or no reply. The message is `"<status>: <body text or status text>"`. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The HTTP status, or 0 when the server was unreachable. */
  readonly status: number;
  /** The problem JSON of the body, or null when it has another format. */
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

/** The parameters, query and body that an endpoint takes. May be left out when there are none. */
export type CallArguments<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> =
  Record<never, never> extends Call<Params, Query, Body>
    ? [call?: Call<Params, Query, Body>]
    : [call: Call<Params, Query, Body>];

type Call<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Part<"params", Params> &
  Part<"query", Query> &
  Part<"body", Body> & {
    /** For endpoints that take a multipart form instead of JSON. */
    form?: FormData;
    signal?: AbortSignal | undefined;
    /** Lets the request outlive the page, for requests sent on leaving it. */
    keepalive?: boolean;
  };

/**
 * Calls an endpoint of the contract with the session's cookies and returns its JSON reply. The server already filters
 * replies by the same schema, so they are not parsed again here.
 * @throws ApiError when the reply is not ok or the server is unreachable
 */
export async function api<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  ...[call]: CallArguments<Params, Query, Body>
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
 * Downloads a file by `fetch`, and has the browser save it under the name from the server.
 * @param body posted as JSON; without it, sends a GET
 * @throws ApiError like `api`: a plain link would leave the page on a refusal
 */
export async function saveFile(address: string, body?: unknown): Promise<void> {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await answer(address, { credentials: "same-origin", ...(body !== undefined && posted) });
  if (!response.ok) await textOf(response);
  await saveBody(response);
}

/** Has the browser save a reply under the name from the server. */
export async function saveBody(response: Response): Promise<void> {
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = file;
  link.download = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "";
  link.click();
  // Some browsers start saving only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

/**
 * Has the browser download a file of any size, after a HEAD request shows that the server would send it.
 * @throws ApiError when the server refuses
 */
export async function startDownload(address: string): Promise<void> {
  const { ok } = await answer(address, { method: "HEAD", credentials: "same-origin" });
  if (!ok) await explainRefusal(address);
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

/** Requests only the first byte, because the reply to a HEAD has no body. @throws ApiError when this is refused too */
async function explainRefusal(address: string): Promise<void> {
  const response = await answer(address, { credentials: "same-origin", headers: { range: "bytes=0-0" } });
  await textOf(response);
}

/** The ApiError for a failed reply. */
export function errorOf(status: number, statusText: string, text: string): ApiError {
  return new ApiError(status, `${status}: ${text || statusText}`, text);
}

/** @throws ApiError when the reply is not ok */
export async function textOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  throw errorOf(response.status, response.statusText, text);
}

/** Where a failure's body has its sentence: in this JSON field, or as plain text. */
export type WordsIn = "message" | "error" | "details" | "text";

/** The sentence to show for a failure: the first one found in `wordsIn`, else `fallback`. */
export function messageOf(error: unknown, fallback: string, wordsIn: readonly WordsIn[] = ["message"]): string {
  if (!(error instanceof ApiError)) return fallback;
  const fields = objectIn(error.body) ?? { text: plainText(error.body) };
  const found = wordsIn.map((name) => fields[name]).find((words) => typeof words === "string" && words.trim() !== "");
  return (found as string | undefined) ?? fallback;
}

/** For each field that the server refused, its first sentence. */
export function faultsIn(error: unknown): Partial<Record<string, string>> {
  const errors = (error instanceof ApiError && error.problem?.errors) || {};
  return Object.fromEntries(Object.entries(errors).map(([field, [sentence]]) => [field, sentence]));
}

/** Whether the page's data is outdated: somebody else changed or removed it. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409].includes(error.status);
}

/** Whether another user has signed in with this browser since the page loaded. */
export function isSomebodyElse(error: unknown): boolean {
  return isRefusal(error, "signed-in-as-another");
}

/** Whether the server refused with this code. */
export function isRefusal(error: unknown, code: Problem["code"]): boolean {
  return error instanceof ApiError && error.problem?.code === code;
}

/** The header with the user's id, sent with every request of a signed-in page. */
export let viewer: Readonly<Record<string, string>> = {};

/** From now on every call names this user, so that the server notices when another tab signed in somebody else. */
export function speakFor(userId: string): void {
  viewer = { [viewerHeader]: userId };
}

/** Has the user sign in again for a refused request. Resolves to whether it is to be sent again. */
type AskForSignIn = (request: RequestInit & { address: string }, refusal: ApiError) => Promise<boolean>;
export let askForSignIn: AskForSignIn = async () => false;

/** From now on, a request that needs a recent sign-in may wait for one. */
export function waitForSignInBy(ask: AskForSignIn): void {
  askForSignIn = ask;
}

/** The reply to a request in the user's name. @throws ApiError when the server is unreachable */
export async function answer(address: string, request: RequestInit): Promise<Response> {
  const response = await send(address, request);
  if (response.status !== 403) return response;
  const refusal = errorOf(403, "", await response.clone().text());
  return (await askForSignIn({ ...request, address }, refusal)) ? send(address, request) : response;
}

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...request, headers: { ...request.headers, ...viewer } });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    await outlast();
    throw new ApiError(0, "0: We couldn't reach the academy. Check your connection and try again.");
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

/** Returns nothing for HTML, such as a proxy's error page. */
function plainText(text: string): string {
  return text.trimStart().startsWith("<") ? "" : text.trim();
}
