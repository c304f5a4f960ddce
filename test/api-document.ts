import { Ajv2020, type SchemaObject, type ValidateFunction } from "ajv/dist/2020.js";

export interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SchemaObject }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: SchemaObject }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Record<string, { readonly schema: SchemaObject }> }>
  >;
}

/** The academy's OpenAPI document. Compiles its schemas lazily. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The operation of a request. Undefined when the document has none. */
  find(method: string, pathname: string): Operation | undefined;
  compile(schema: SchemaObject): ValidateFunction;
  /** Resolves a `$ref`. */
  resolve(schema: SchemaObject): SchemaObject;
}

/** Reads `/api/openapi.json` of a running academy. */
export async function readApiDocument(origin: string): Promise<ApiDocument> {
  const response = await fetch(new URL("/api/openapi.json", origin));
  if (!response.ok) throw new Error(`no API document: ${response.status}`);
  const document = (await response.json()) as {
    paths: ApiDocument["paths"];
    components: { schemas: Record<string, SchemaObject> };
  };
  // Most schemas check few replies, so compiling them without optimization takes less time than it saves.
  const compiling = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, ...compiling });
  // By its own name each is compiled once, and otherwise again for each operation that refers to it.
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(byName(schema), name);
  // Many operations have the same schema, such as that of problems.
  const compiled = new Map<string, ValidateFunction>();
  const known = new WeakMap<SchemaObject, ValidateFunction>();
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));
  return {
    paths: document.paths,
    find(method, pathname) {
      const name = method.toLowerCase();
      const exact = document.paths[pathname]?.[name];
      return exact ?? routes.find(({ pattern, methods }) => name in methods && pattern.test(pathname))?.methods[name];
    },
    compile(schema) {
      const found = known.get(schema);
      if (found) return found;
      const text = JSON.stringify(schema);
      const validate = compiled.get(text) ?? ajv.compile(byName(schema));
      compiled.set(text, validate);
      known.set(schema, validate);
      return validate;
    },
    resolve(schema) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "")?.[1];
      return name ? (document.components.schemas[name] ?? {}) : schema;
    },
  };
}

/** The schema with references to components by their names. */
function byName(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}

/** Keyed by origin for academies of other releases. Those of this one share a document. */
const documents = new Map<string, Promise<ApiDocument>>();
const ofOtherReleases = new Set<string>();

/** From now on, validates this academy's replies by its own document. */
export function noteOtherRelease(origin: string): void {
  ofOtherReleases.add(origin);
}

/**
 * Validates a reply of the API by the document. Accepts paths that are not in it.
 * @throws Error with the request and the violation.
 */
export async function checkAnswer(origin: string, method: string, pathname: string, response: Response): Promise<void> {
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (!pathname.startsWith("/api/") || !type.includes("json")) return;
  // An academy that is down cannot serve its document.
  const release = ofOtherReleases.has(origin) ? origin : "this";
  if (!documents.has(release) && response.status >= 500) return;
  const reading = documents.get(release) ?? readApiDocument(origin);
  documents.set(release, reading);
  const document = await reading.catch((error) => {
    documents.delete(release);
    throw error;
  });
  const operation = document.find(method, pathname);
  if (!operation) return;
  const said = operation.responses[response.status] ?? operation.responses.default;
  const schema = said?.content?.[type]?.schema;
  if (!schema)
    throw new Error(`${method} ${pathname} answered ${response.status} as ${type}, which its contract omits`);
  const validate = document.compile(schema);
  if (validate(await response.clone().json())) return;
  throw new Error(
    `${method} ${pathname} answered ${response.status} otherwise than its contract says: ${JSON.stringify(validate.errors)}`,
  );
}
