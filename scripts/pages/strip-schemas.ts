import { type Plugin, parseAst } from "vite";

/** The members of an endpoint that only the server reads. */
const serverOnly = new Set(["summary", "params", "query", "body", "form", "reply", "otherReplies"]);

/** A part of the source text and its replacement. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Keeps the schema library out of pages that validate nothing. The browser's `api()` reads an endpoint's method and
 * path alone, but an object that mentions its schemas keeps them, and with them the whole library, in the bundle: some
 * 27 KB compressed, on the landing page too. A page that imports a schema by name still gets it.
 */
export function stripSchemas(): Plugin {
  return {
    name: "strip-schemas",
    transform: {
      filter: { id: /\/contract\/[\w/-]+\.ts$/ },
      handler: (code) => ({ code: stripSchemasFrom(code), map: null }),
    },
  };
}

/** The module without its endpoints' schemas, and with every schema in a form that is dropped when nobody uses it. */
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
      if (init?.type !== "CallExpression" && init?.type !== "ObjectExpression") return [];
      const source = code.slice(init.start, init.end);
      const definition = init.type === "CallExpression" && source.startsWith("endpoint(") ? init.arguments[0] : null;
      if (!definition) {
        // Calls make schemas, and so do the members of some objects; constants keep their form.
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

/** How many characters from `end` on belong to the comma behind a member, if there is one. */
function commaAfter(code: string, end: number): number {
  return /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
}
