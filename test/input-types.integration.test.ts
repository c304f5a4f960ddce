import type { SchemaObject } from "ajv";
import { expect } from "vitest";
import { readApiDocument } from "#test/api-document.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator, test } = await academyOfFile();
const coach = await academy.visitor().signInAsDemo("coach@academy.test");
const document = await readApiDocument(academy.url);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);
const bodyOf = ({ requestBody }: (typeof operations)[number]) => requestBody?.content["application/json"]?.schema;
const filled = (path: string) => path.replace(/\{\w+\}/g, "none");

/** A user with the permission, because a refusal by role would precede validation. */
const callerOf = (path: string) => (/^\/api\/coach(\/|$)/.test(path) ? coach : administrator);

const everyType: readonly unknown[] = ["text", -1.5, true, null, ["text"], [[]], { a: 1 }];

const day = "2030-01-01";
const instant = `${day}T00:00:00.000Z`;

/** A valid value for the schema, with only required properties unless `full`. */
function sampleOf(given: SchemaObject): unknown {
  const schema = document.resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0]);
  if (schema.oneOf) return sampleOf(schema.oneOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, SchemaObject>);
    return Object.fromEntries(properties.map(([name, property]) => [name, sampleOf(property)]));
  }
  if (type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return Math.max(schema.minimum ?? 0, schema.exclusiveMinimum ?? 0, 1);
  if (schema.format === "email") return "nobody@example.test";
  if (schema.format === "date") return day;
  if (schema.format === "date-time") return instant;
  if (schema.format === "uri") return "https://example.test/";
  return "none".padEnd(schema.minLength ?? 0, "x");
}

test("every endpoint refuses fields of another type by name [F06]", async () => {
  const fieldsTried = new Set<string>();
  for (const operation of operations) {
    const { path, method } = operation;
    const schema = bodyOf(operation);
    if (!schema) continue;
    const accepts = document.compile(schema);
    const base = sampleOf(schema) as Record<string, unknown>;
    for (const value of everyType) {
      const wrong = Object.keys(base).filter((field) => {
        if (accepts({ ...base, [field]: value })) return false;
        // No sample matches the pattern of another field, so a refusal would prove nothing about this one.
        return (accepts.errors ?? []).every(({ instancePath: at }) => at === "" || at.startsWith(`/${field}`));
      });
      if (wrong.length === 0) continue;
      const body = { ...base, ...Object.fromEntries(wrong.map((field) => [field, value])) };
      const what = `${method} ${path} ${JSON.stringify(body)}`;
      const answer = await callerOf(path).send(method, filled(path), JSON.stringify(body));
      expect(answer.status, what).toBe(400);
      const { code, errors = {} } = (await answer.json()) as { code: string; errors?: Record<string, string[]> };
      expect(code, what).toBe("invalid-input");
      const named = Object.keys(errors).map((name) => name.split(".")[0]);
      expect(named, what).toEqual(expect.arrayContaining(wrong));
      for (const field of wrong) fieldsTried.add(`${method} ${path} ${field}`);
    }
  }
  expect(fieldsTried.size).toBeGreaterThan(90);
});

test("every endpoint refuses a repeated parameter [F06 F08]", async () => {
  let tried = 0;
  for (const { path, method, parameters = [] } of operations) {
    for (const { name, schema } of parameters.filter((parameter) => parameter.in === "query")) {
      const value = `${name}=${encodeURIComponent(String(sampleOf(schema)))}`;
      const query = `${value}&${value}`;
      const answer = await callerOf(path).send(method, `${filled(path)}?${query}`);
      expect(answer.status, `${method} ${path}?${query}`).toBe(400);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(20);
});

test("text with NUL and dates beyond any calendar break no call, in an address or in a body [F04 F05]", async () => {
  const days = ["0000-01-01", "9999-12-31"];
  const instants = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
  let tried = 0;
  for (const operation of operations) {
    const { path, method, parameters = [] } = operation;
    const send = async (query: string, body?: unknown) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const { status } = await callerOf(path).send(method, filled(path) + query, text);
      expect(status, `${method} ${path}${query} ${text}`).toBeLessThan(500);
      tried += 1;
    };
    for (const { name } of parameters.filter((parameter) => parameter.in === "query")) {
      for (const value of ["\0", ...days]) await send(`?${new URLSearchParams({ [name]: value })}`);
    }
    const schema = bodyOf(operation);
    const base = schema ? (sampleOf(schema) as object) : {};
    for (const [name, value] of Object.entries(base)) {
      const beyond = value === day ? days : value === instant ? instants : [];
      for (const date of beyond) await send("", { ...base, [name]: date });
    }
  }
  expect(tried).toBeGreaterThan(150);
});
