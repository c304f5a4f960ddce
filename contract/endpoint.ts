import type { z } from "zod";
import type { Permission } from "./permissions.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One call of the API, said once: the server validates by it and filters its answers through it, the browser is typed by it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** The address with parameters in braces, as OpenAPI writes them: `/api/lessons/{lessonId}/playback`. */
  readonly path: string;
  readonly summary: string;
  /** What the caller's role must allow; the routes of administrators and coaches do not start without it. */
  readonly permission?: Permission;
  /** Moves money or destroys data: anybody who calls it has proved within `freshSignInMinutes` who they are. */
  readonly needsFreshSignIn?: true;
  /** The caller keeps the data and retries: a busy server sheds these requests first. */
  readonly isDeferrable?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The parts of a multipart body, in place of a JSON one. The route reads and checks them as they arrive. */
  readonly form?: z.ZodType;
  readonly reply: Reply;
  /** Answers other than 200 that carry their own shape and are not refusals. */
  readonly otherReplies?: Readonly<Record<number, z.ZodType>>;
}

/** For how long after proving who they are an administrator may do what moves money, destroys data or copies people's. */
export const freshSignInMinutes = 15;

/** Declares an endpoint; it exists for type inference alone. */
export function endpoint<
  Reply extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return definition;
}
