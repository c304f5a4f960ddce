import Fastify from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";
import { brandingPath } from "#contract/branding.ts";
import { EmailAddress } from "#contract/email-address.ts";
import { cleanFileName } from "#server/base/file-names.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { brandingRoutes } from "./branding.ts";
import { answerNotFound } from "./not-found.ts";

/** Where a pattern that can match in two ways is tried in n² ways, this takes it minutes, and hours where in more. */
const length = 300_000;

/** Beginnings, what is repeated, and an end that lets no pattern match after all. */
const texts = ["", "1", "a@", "https://"].flatMap((start) =>
  [" ", "\t", "\n", "0", "a", "A", ".", "-", "@", "1 ", "a.", "a@", "é", "x1"].map(
    (part) => `${start}${part.repeat(length / part.length)}\u0001!`,
  ),
);

type Schema = Readonly<Record<string, unknown>> & {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

/** A value whose every free text, except email addresses, is this one; undefined where the schema has none. */
function filled(schema: Schema, text: string): unknown {
  if (schema.format === "email") return "ann@example.com";
  if (schema.type === "string" && !("enum" in schema) && !("const" in schema)) return text;
  if (schema.items) return [filled(schema.items, text)];
  if (schema.anyOf) return schema.anyOf.map((one) => filled(one, text)).find((value) => value !== undefined);
  if (!schema.properties) return undefined;
  const fields = Object.entries(schema.properties).map(([name, one]) => [name, filled(one, text)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

test("no long text makes a pattern backtrack for long [F10]", async () => {
  const endpoints = await listEndpoints();
  const schemas = new Set(
    endpoints.flatMap(({ params, query, body }) => [params, query, body].filter((one) => one !== undefined)),
  );
  const shapes = [...schemas].map((schema) => ({ schema, shape: z.toJSONSchema(schema, { io: "input" }) as Schema }));
  const free = shapes.filter(({ shape }) => JSON.stringify(filled(shape, "a text"))?.includes("a text"));
  expect(free.length).toBeGreaterThan(40);
  for (const text of texts) {
    for (const { schema, shape } of free) schema.safeParse(filled(shape, text));
    expect(EmailAddress.safeParse(text).success).toBe(false);
    expect(cleanFileName(text).length).toBeLessThanOrEqual(150);
  }
});

test("no address that anybody may ask for, however long, keeps the server from its other work [F10]", async () => {
  const app = Fastify();
  answerNotFound(app, { sendNotFound: async (_request, reply) => reply.code(404).send() });
  brandingRoutes(app, {} as Parameters<typeof brandingRoutes>[1]);
  for (const start of [
    "/",
    `${brandingPath}/`,
    `${brandingPath}/colors-`,
    `${brandingPath}/icon-`,
    `${brandingPath}/social-`,
  ]) {
    for (const part of ["a", "/", "-", "abcdef-", "0"]) {
      for (const method of ["GET", "POST"] as const) {
        const url = `${start}${part.repeat(length / part.length)}!`;
        expect([404, 414], `${method} ${start}${part}`).toContain((await app.inject({ method, url })).statusCode);
      }
    }
  }
});
