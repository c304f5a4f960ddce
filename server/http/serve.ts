import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { needsFreshSignIn } from "#contract/fresh-sign-in.ts";
import { listRolesThatMay, type Permission } from "#contract/permissions.ts";
import { Problem } from "#contract/problem.ts";
import { type TokenScope, tokenScopeOf } from "#contract/token-scopes.ts";
import type { ServedSchema } from "./api-document.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    permission?: Permission;
    withoutFreshSignIn?: string;
    whileSeeing?: Endpoint["whileSeeing"];
    tokenScope?: TokenScope | null;
  }
}

export interface Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const problem = {
  description: "A refusal, or a failure of the server",
  content: { "application/problem+json": { schema: Problem } },
};

/**
 * Adds a route for an endpoint. Its schemas validate the request and strip fields from the reply that the contract
 * does not name.
 */
export function serve<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(
  scope: FastifyInstance,
  endpoint: Endpoint<Params, Query, Body, Reply>,
  handle: (input: Input<Params, Query, Body>) => Promise<z.input<Reply>>,
): void {
  const {
    method,
    path,
    summary,
    permission,
    withoutFreshSignIn,
    whileSeeing,
    tokenScope,
    isDeferrable = false,
    params,
    query,
    body,
    form,
    reply,
    otherReplies,
  } = endpoint;
  const byToken = tokenScopeOf(endpoint);
  const description = [
    ...(permission ? [`For ${listRolesThatMay(permission).join(", ")}`] : []),
    ...(needsFreshSignIn(endpoint) ? ["Needs a fresh sign-in"] : []),
    ...(byToken ? [`By a token with the scope ${byToken}`] : []),
    ...(whileSeeing === "refused" ? ["Not for administrators who see the academy as a student"] : []),
  ].join(". ");
  const schema: ServedSchema = {
    summary,
    ...(description && { description }),
    ...(byToken && { security: [{ session: [] }, { token: [byToken] }] }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(form && { form }),
    response: { 200: reply, ...otherReplies, default: problem },
  };
  scope.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    schema,
    config: {
      ...(permission && { permission }),
      ...(withoutFreshSignIn && { withoutFreshSignIn }),
      ...(whileSeeing && { whileSeeing }),
      ...(tokenScope !== undefined && { tokenScope }),
      isDeferrable,
    },
    handler: (request, reply) =>
      handle({
        params: request.params as z.output<Params>,
        query: request.query as z.output<Query>,
        body: request.body as z.output<Body>,
        request,
        reply,
      }),
  });
}
