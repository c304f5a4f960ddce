import { expect, test } from "vitest";
import { importSchemasApart, stripSchemasFrom } from "./strip-schemas.ts";

test("an endpoint keeps its method and path and loses its schemas", () => {
  const source = `export const saveNote = endpoint({ method: "PUT", path: "/api/notes", body: z.object({ a: z.string() }), reply: Note });`;
  expect(stripSchemasFrom(source).replace(/\s+/g, " ")).toBe(
    `export const saveNote = endpoint({ method: "PUT", path: "/api/notes", });`,
  );
  expect(stripSchemasFrom("export const steps = batchSteps({ path, reply: Note });")).toBe(
    "export const steps = batchSteps({ path,  });",
  );
});

test("a schema is made in a call that the bundler may drop", () => {
  expect(stripSchemasFrom("export const Note = z.object({ a: z.string() }).meta({ id: 'Note' });")).toBe(
    "export const Note = /*#__PURE__*/ (() => (z.object({ a: z.string() }).meta({ id: 'Note' })))();",
  );
  expect(stripSchemasFrom("export const Longer = Note.extend({ b: z.string() });")).toBe(
    "export const Longer = /*#__PURE__*/ (() => (Note.extend({ b: z.string() })))();",
  );
  expect(stripSchemasFrom("const paging = { after: z.string() };")).toBe(
    "const paging = /*#__PURE__*/ (() => ({ after: z.string() }))();",
  );
  expect(stripSchemasFrom("const atom = new RegExp(letters);")).toBe(
    "const atom = /*#__PURE__*/ (() => (new RegExp(letters)))();",
  );
});

test("constants and functions of the contract stay as they are", () => {
  const source = `export const logoutUrl = "/api/logout";\nexport const labels = { basic: "Monthly" };\nexport function rank(tier) { return tiers.indexOf(tier) + 1; }`;
  expect(stripSchemasFrom(source)).toBe(source);
});

test("a page imports schemas from a copy of the contract, and the rest from the contract itself", () => {
  const source = `import { Note, saveNote } from "#contract/notes.ts";\nimport { api } from "#app/api/api.ts";`;
  expect(importSchemasApart(source)).toBe(
    `import { saveNote } from "#contract/notes.ts"; import { Note } from "#contract/notes.ts?schemas";\nimport { api } from "#app/api/api.ts";`,
  );
});
