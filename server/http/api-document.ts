import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";
import { builtInSettings } from "#content/site.ts";
import { type Asking, currentSettings } from "#server/settings/settings.ts";

export interface ServedSchema extends FastifySchema {
  /** The route reads and checks the parts by itself as they arrive. */
  readonly form?: z.ZodType;
}

/** Describes only routes that come after this. What writes the document is loaded when somebody asks for it. */
export function describeApi(app: FastifyInstance, { db }: Asking): () => Promise<object> {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    // Issuer and sandbox speak protocols of their own and are no part of our API.
    if (route.url.startsWith("/api/") && route.method !== "HEAD") routes.push(route);
  });
  let document: ReturnType<typeof writeDocument> | undefined;
  return async () => {
    document ??= writeDocument(routes).catch((error) => {
      document = undefined;
      throw error;
    });
    const { info, ...rest } = await document;
    return { ...rest, info: { ...info, title: (await currentSettings(db)).name } };
  };
}

async function writeDocument(routes: readonly RouteOptions[]) {
  const { default: swagger } = await import("@fastify/swagger");
  const described = Fastify({ exposeHeadRoutes: false, schemaController: withoutCompilers });
  described.setValidatorCompiler(() => () => true).setSerializerCompiler(() => String);
  await described.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: builtInSettings.name, version: "1" } },
    transform: (route) => {
      const { form, ...schema } = (route.schema ?? {}) as ServedSchema;
      const multipart = form && { body: form, consumes: ["multipart/form-data"] };
      return jsonSchemaTransform({ ...route, schema: { ...schema, ...multipart } });
    },
    transformObject: jsonSchemaTransformObject,
  });
  for (const { method, url, schema = {} } of routes) described.route({ method, url, schema, handler: () => {} });
  await described.ready();
  return described.swagger();
}

/** For a server that sets its compilers itself: Fastify does not even load its own, which take 3 MB. */
export const withoutCompilers = { compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked } };

function notAsked(): never {
  throw new Error("the compilers of the whole server are set");
}
