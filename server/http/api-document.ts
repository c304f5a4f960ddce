import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";
import { exportUrl } from "#contract/admin/admin.ts";
import { tokenScopes } from "#contract/token-scopes.ts";
import { webhookEvents } from "#contract/webhook-events.ts";
import { type Asking, currentSettings } from "#server/settings/settings.ts";
import { compressOnDemand, type MemoryFile, memoryFile } from "./pages/memory-file.ts";

export interface ServedSchema extends FastifySchema {
  /** The parts of a multipart body, which the route reads and checks as they arrive. */
  readonly form?: z.ZodType;
}

/**
 * Call it before the routes. The generator is loaded with the first request for the document, which is written once
 * for each name of the academy and kept as a file.
 */
export function describeApi(app: FastifyInstance, { db }: Asking): () => Promise<MemoryFile> {
  // At most one entry for each route of the API, about 250, which the router keeps anyway.
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    // Issuer and sandbox have their own protocols and are not part of the API.
    if (route.url.startsWith("/api/") && route.method !== "HEAD") routes.push(route);
  });
  let written: { readonly title: string; readonly file: Promise<MemoryFile> } | undefined;
  return async () => {
    const { name: title } = await currentSettings(db);
    if (written?.title !== title) {
      const file = writeDocument(routes, title);
      written = { title, file };
      file.catch(() => {
        written = undefined;
      });
    }
    return written.file;
  };
}

async function writeDocument(routes: readonly RouteOptions[], title: string): Promise<MemoryFile> {
  const { default: swagger } = await import("@fastify/swagger");
  const described = Fastify({ exposeHeadRoutes: false, schemaController: withoutCompilers });
  described.setValidatorCompiler(() => () => true).setSerializerCompiler(() => String);
  await described.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title, version: "1" }, components: { securitySchemes } },
    transform: (route) => {
      const { form, ...schema } = (route.schema ?? {}) as ServedSchema;
      const multipart = form && { body: form, consumes: ["multipart/form-data"] };
      return jsonSchemaTransform({ ...route, schema: { ...schema, ...multipart } });
    },
    transformObject: jsonSchemaTransformObject,
  });
  for (const { method, url, schema = {} } of routes) described.route({ method, url, schema, handler: () => {} });
  await described.ready();
  const bytes = Buffer.from(JSON.stringify({ ...described.swagger(), webhooks }));
  return memoryFile("openapi.json", bytes, compressOnDemand(bytes));
}

const scopes = Object.entries(tokenScopes).map(([scope, words]) => `${scope} (${words})`);
const securitySchemes = {
  session: { type: "apiKey", in: "cookie", name: "__Host-academy" },
  token: {
    type: "http",
    scheme: "bearer",
    description: `A token of an owner, acad_…, without cookies, 60 times a minute. Scopes: ${scopes.join(", ")}. POST ${exportUrl("users", "csv")} and others like it download the lists that a scope may read.`,
  },
} as const;

/** By Standard Webhooks, to the addresses of owners. */
const webhooks = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, summary]) => {
    const text = { type: "string" };
    const data = { type: "object", properties: { id: text, userId: text } };
    const schema = { type: "object", properties: { type: { const: type }, timestamp: text, data } };
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const parameters = names.map((name) => ({ name, in: "header", required: true, schema: text }));
    const responses = { "2XX": { description: "Received. Any other answer is tried again" } };
    return [
      type,
      { post: { summary, parameters, requestBody: { content: { "application/json": { schema } } }, responses } },
    ];
  }),
);

/** Keeps Fastify from loading its own schema compilers, which take 3 MB: this server sets others. */
export const withoutCompilers = { compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked } };

function notAsked(): never {
  throw new Error("the compilers of the whole server are set");
}
