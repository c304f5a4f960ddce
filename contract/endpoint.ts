import type { z } from "zod";
import type { Permission } from "./permissions.ts";
import type { TokenScope } from "./token-scopes.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * The definition of an API endpoint. The server validates requests and filters replies by it, and the browser's calls
 * are typed by it.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** The path with parameters in braces, as in OpenAPI: `/api/lessons/{lessonId}/playback`. */
  readonly path: string;
  readonly summary: string;
  /** The permission that the caller's role must have. Required for routes of administrators and coaches. */
  readonly permission?: Permission;
  /** Why this changing call needs no fresh sign-in, although others of its permission do (`needsFreshSignIn`). */
  readonly withoutFreshSignIn?: string;
  /** The scope by which a token may call it; null: none may. Without it, a GET has the scope of its permission (`tokenScopeOf`). */
  readonly tokenScope?: TokenScope | null;
  /**
   * Whether an administrator who sees the academy as a student may call it. Without it, GETs may be called, and nothing
   * else.
   */
  readonly whileSeeing?: "allowed" | "refused";
  /** The caller keeps the data and retries: a busy server sheds these requests first. */
  readonly isDeferrable?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The parts of a multipart body, instead of a JSON body. The route validates them as they arrive. */
  readonly form?: z.ZodType;
  readonly reply: Reply;
  /** Replies other than 200 with a schema of their own that are no refusals. */
  readonly otherReplies?: Readonly<Record<number, z.ZodType>>;
}

/** Returns its argument, for type inference. */
export function endpoint<
  Reply extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return definition;
}

/** The body as the server reads it. */
export type BodyOf<Called extends { readonly body?: z.ZodType }> = z.output<NonNullable<Called["body"]>>;
