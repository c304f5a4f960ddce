import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Done } from "#contract/admin/admin.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { type Input, serve } from "#server/http/serve.ts";
import { studentOf } from "./sessions/sessions.ts";
import type { User } from "./users.ts";

/** Adds a route for an action of a member of the team. Its reply says what was done. */
export function serveAction<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  scope: FastifyInstance,
  endpoint: Endpoint<Params, Query, Body, typeof Done>,
  message: string,
  act: (actor: User, input: Input<Params, Query, Body>) => Promise<unknown>,
): void {
  serve(scope, endpoint, async (input) => {
    await act(studentOf(input.request), input);
    return { success: true as const, message };
  });
}
