import { type Plugin, parseAst } from "vite";
import { ofPath } from "./bundler.ts";

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

/** A range of the source text with its replacement. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Keeps the schema library out of pages that validate nothing. The browser's `api()` reads only an endpoint's method
 * and path, but references to its schemas would keep the whole library in the bundle: 27 KB compressed, on the
 * landing page too. A page that imports a schema still gets it.
 */
export function stripSchemas(): Plugin {
  return {
    name: "strip-schemas",
    transform: {
      filter: { id: /\/contract\/[\w/-]+\.ts$/ },
      handler: (code, id) => (isOfContract(id) ? { code: stripSchemasFrom(code), map: null } : null),
    },
  };
}

const isOfContract = ofPath(/^\/contract\//);

/** Removes the schemas of endpoints, and makes all other schemas tree-shakeable. */
export function stripSchemasFrom(code: string): string {
  let text = code;
  for (const { start, end, text: replacement } of editsOf(code).reverse()) {
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
      const definition = init.type === "CallExpression" && source.startsWith("endpoint(") ? init.arguments[0] : null;
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
