import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";

export interface ServedSchema extends FastifySchema {
  /** The route reads and checks the parts by itself as they arrive. */
  readonly form?: z.ZodType;
}

/** Describes only routes that come after this. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: "Academy", version: "1" } },
    transform: (route) => {
      const { form, ...schema } = (route.schema ?? {}) as ServedSchema;
      // Issuer and sandbox speak protocols of their own and are no part of our API.
      if (!route.url.startsWith("/api/")) return { ...route, schema: { hide: true } };
      const multipart = form && { body: form, consumes: ["multipart/form-data"] };
      return jsonSchemaTransform({ ...route, schema: { ...schema, ...multipart } });
    },
    transformObject: jsonSchemaTransformObject,
  });
}
