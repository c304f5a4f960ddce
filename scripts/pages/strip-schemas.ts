import { dirname, resolve } from "node:path";
import { type Plugin, parseAst } from "vite";
import { ofPath, root } from "./bundler.ts";

/** The properties of an endpoint that only the server reads. */
const serverOnly = new Set([
  "summary",
  "params",
  "query",
  "body",
  "form",
  "reply",
  "otherReplies",
  "withoutFreshSignIn",
]);

/** The functions that get such properties. */
const makesEndpoints = /^(endpoint|batchSteps)\(/;

/** A range of the source text with its replacement. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Marks a second copy of the contract's modules, which pages import schemas from. */
const withSchemas = "?schemas";

/**
 * Keeps the schema library out of pages that validate nothing. The browser's `api()` reads only an endpoint's method
 * and path, but references to its schemas would keep the whole library in the bundle: 27 KB compressed, on the
 * landing page too. A page that imports a schema by its name, which begins with a capital letter, gets it from a copy
 * of the contract: a module is never split, so the schemas of one page would otherwise come with the constants of all.
 */
export function stripSchemas(): Plugin {
  return {
    name: "strip-schemas",
    resolveId: {
      order: "pre",
      handler(source, importer = "") {
        if (source.startsWith("#contract/") && source.endsWith(withSchemas)) return root + source.slice(1);
        if (!importer.endsWith(withSchemas)) return null;
        return source === "zod" ? `${root}app/api/zod.ts` : resolve(dirname(importer), source) + withSchemas;
      },
    },
    transform: {
      filter: { id: /\/(contract|app|site)\/[\w/-]+\.tsx?(\?schemas)?$/ },
      handler: (code, id) => {
        const text = isOfContract(id) ? stripSchemasFrom(code) : isOfPages(id) ? importSchemasApart(code) : code;
        return text === code ? null : { code: text, map: null };
      },
    },
  };
}

const isOfContract = ofPath(/^\/contract\//);
const isOfPages = ofPath(/^\/(app|site)\//);

/** Imports schemas from the contract's copy, and everything else from the contract. */
export function importSchemasApart(code: string): string {
  return edited(
    code,
    parseAst(code).body.flatMap((statement) => {
      if (statement.type !== "ImportDeclaration" || !String(statement.source.value).startsWith("#contract/")) return [];
      const names = statement.specifiers.map(({ start, end }) => code.slice(start, end));
      const [schemas, others] = [true, false].map((isSchema) =>
        names.filter((name) => /^[A-Z]/.test(name) === isSchema),
      );
      if (!schemas?.length) return [];
      const from = statement.source.value;
      const text = `import { ${others} } from "${from}"; import { ${schemas} } from "${from}${withSchemas}";`;
      return [{ start: statement.start, end: statement.end, text }];
    }),
  );
}

/** Removes the schemas of endpoints, and makes all other schemas tree-shakeable. */
export function stripSchemasFrom(code: string): string {
  return edited(code, editsOf(code));
}

function edited(code: string, edits: readonly Edit[]): string {
  let text = code;
  for (const { start, end, text: replacement } of edits.toReversed()) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

function editsOf(code: string): Edit[] {
  return parseAst(code).body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") return [];
    return declaration.declarations.flatMap(({ init }): Edit[] => {
      if (init?.type !== "CallExpression" && init?.type !== "NewExpression" && init?.type !== "ObjectExpression") {
        return [];
      }
      const source = code.slice(init.start, init.end);
      const definition = init.type === "CallExpression" && makesEndpoints.test(source) ? init.arguments[0] : null;
      if (!definition) {
        // Schemas and what they need are made by calls, and by members of some objects. Constants stay as they are.
        if (init.type === "ObjectExpression" && !/\bz\s*\./.test(source)) return [];
        return [{ start: init.start, end: init.end, text: `/*#__PURE__*/ (() => (${source}))()` }];
      }
      if (definition.type !== "ObjectExpression") return [];
      return definition.properties
        .filter(
          (member) => member.type === "Property" && "name" in member.key && serverOnly.has(String(member.key.name)),
        )
        .map(({ start, end }) => ({ start, end: end + commaAfter(code, end), text: "" }));
    });
  });
}

/** The length of the comma after a property, if there is one. */
function commaAfter(code: string, end: number): number {
  return /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
}
