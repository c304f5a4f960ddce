import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";

/** A route's schema as `serve` writes it: Fastify itself knows nothing of `form`. */
export interface ServedSchema extends FastifySchema {
  /** The parts of a multipart body, which the route reads and checks by itself as they arrive. */
  readonly form?: z.ZodType;
}

/** Has every route that comes after this described in one OpenAPI document, which `app.swagger()` gives. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: "Academy", version: "1" } },
    transform: (route) => {
      const { form, ...schema } = (route.schema ?? {}) as ServedSchema;
      // The issuer and the sandbox are reached by protocols of their own; they are no part of our API.
      if (!route.url.startsWith("/api/")) return { ...route, schema: { hide: true } };
      const multipart = form && { body: form, consumes: ["multipart/form-data"] };
      return jsonSchemaTransform({ ...route, schema: { ...schema, ...multipart } });
    },
    transformObject: jsonSchemaTransformObject,
  });
}
