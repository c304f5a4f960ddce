import { createRequire } from "node:module";
import type { CompatData, CompatStatement, Identifier, SimpleSupportStatement } from "@mdn/browser-compat-data/types";
import postcss, { type ChildNode } from "postcss";
import { parseAst } from "vite";
import { oldestBrowsers } from "#content/browsers.ts";

/** Not imported: vitest makes a script of what is imported, which takes seconds for 17 MB. */
export const bcd = createRequire(import.meta.url)("@mdn/browser-compat-data") as CompatData;

const { safari, ios, firefox, chrome, edge } = oldestBrowsers;
const oldest = Object.entries({ safari, safari_ios: ios, firefox, chrome, edge } as const);

/** Made once: making one takes much longer than comparing by it. */
const byNumber = new Intl.Collator("en", { numeric: true });

type Names = Readonly<Record<string, Identifier>>;

/**
 * Whether one of the oldest supported browsers lacks the feature.
 * @param prefixes those with which it is declared as well
 */
function isLacking(compat: CompatStatement | undefined, prefixes: readonly string[] = []): boolean {
  if (!compat) return false;
  return oldest.some(([browser, version]) => {
    const support = [compat.support[browser as "chrome"] ?? []].flat() as SimpleSupportStatement[];
    return support.length > 0 && !support.some((statement) => isIn(statement, version, prefixes));
  });
}

function isIn(
  {
    version_added: added,
    version_removed: removed,
    partial_implementation: isPartial,
    flags,
    ...named
  }: SimpleSupportStatement,
  version: string,
  prefixes: readonly string[],
): boolean {
  if ((isPartial && removed) || flags || named.alternative_name || (named.prefix && !prefixes.includes(named.prefix)))
    return false;
  return isSince(version, added) && !isSince(version, removed);
}

function isSince(version: string, since: string | boolean | null | undefined): boolean {
  if (typeof since !== "string" || since === "preview") return false;
  return byNumber.compare(version, since.replace("≤", "")) >= 0;
}

const css = bcd.css as unknown as Record<"at-rules" | "properties" | "selectors" | "types", Names>;

/** The functions and units of all types, by name. */
const values = new Map<string, CompatStatement[]>();
for (const type of Object.values(css.types)) collectValues(type);

function collectValues(type: Identifier): void {
  for (const [name, value] of Object.entries(type as Names)) {
    if (name === "__compat") continue;
    if (value.__compat) values.set(name, [...(values.get(name) ?? []), value.__compat]);
    collectValues(value);
  }
}

/**
 * What the style sheet uses and one of the supported browsers lacks. Does not look into `@supports`, lists in which
 * browsers skip what they do not know, and names that begin with a prefix.
 */
export function lackingInStyles(text: string): string[] {
  const found = new Set<string>();
  const note = (name: string, compat: CompatStatement | undefined, prefixes?: readonly string[]) => {
    if (isLacking(compat, prefixes)) found.add(name);
  };

  function walk(node: ChildNode): void {
    if (node.type === "atrule") {
      if (node.name === "supports") return;
      note(`@${node.name}`, css["at-rules"][node.name]?.__compat);
      for (const [, name = ""] of node.params.matchAll(/\b([a-z-]+)\s*(?=[:)<>=])/g)) {
        if (node.name === "media") note(`@media (${name})`, css["at-rules"].media?.[name]?.__compat);
      }
    }
    if (node.type === "rule") {
      const selector = node.selector.replaceAll(/\\.|"[^"]*"|:(is|where)\(([^()]|\([^()]*\))*\)/g, "");
      for (const [word, name = ""] of selector.matchAll(/::?([a-z][a-z-]*)/g)) {
        note(word, css.selectors[name]?.__compat);
      }
      if (node.parent?.type === "rule") note("nesting", css.selectors.nesting?.__compat);
    }
    if (node.type === "decl") {
      const { prop, parent } = node;
      const prefixes = ["-webkit-", "-moz-"].filter((prefix) =>
        parent?.nodes.some((other) => other.type === "decl" && other.prop === prefix + prop),
      );
      if (!prop.startsWith("-")) note(prop, css.properties[prop]?.__compat, prefixes);
      const value = node.value.replaceAll(/"[^"]*"|url\([^)]*\)|--[\w-]+|#\w+/g, "");
      for (const [word, unit, name = unit ?? ""] of value.matchAll(/(?<=\d)([a-z]+)\b|(?<![\w-])([a-z][a-z-]*)\(?/g)) {
        const kinds = unit || word.endsWith("(") ? (values.get(name) ?? []) : [];
        note(`${prop}: ${name}`, css.properties[prop]?.[name]?.__compat, prefixes);
        if (kinds.length > 0 && kinds.every((kind) => isLacking(kind))) found.add(word);
      }
    }
    if ("nodes" in node) for (const child of node.nodes ?? []) walk(child);
  }

  for (const node of postcss.parse(text).nodes) walk(node);
  return [...found];
}

const html = bcd.html as unknown as Record<"global_attributes", Names> & { elements: Record<string, Names> };

/** The attributes in the document that one of the supported browsers lacks. */
export function lackingInDocument(text: string): string[] {
  const found = new Set<string>();
  for (const [, tag = "", attributes = ""] of text.matchAll(/<([a-z]\w*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*>/g)) {
    for (const [, name = ""] of attributes.replaceAll(/="[^"]*"/g, "").matchAll(/\s([a-z]+)/g)) {
      const compat = (html.elements[tag]?.[name] ?? html.global_attributes[name])?.__compat;
      if (isLacking(compat)) found.add(`<${tag} ${name}>`);
    }
  }
  return [...found];
}

const api = bcd.api as unknown as Record<string, Names & Identifier>;
const builtins = (bcd.javascript as unknown as { builtins: typeof api }).builtins;
const interfaces = [...Object.values(api), ...Object.values(builtins)];

/** Those of interfaces that all supported browsers have. The others cannot be reached without their names. */
const newMethods = newNames(interfaces.filter(({ __compat }) => !isLacking(__compat)));
const newAttributes = newNames([html.global_attributes, ...Object.values(html.elements)]);

/** The names that one of the supported browsers has nowhere. */
function newNames(kinds: readonly Names[]): Set<string> {
  const members = [...kinds, api].flatMap((kind) => Object.entries(kind));
  const present = new Set(
    members.filter(([, { __compat }]) => __compat && !isLacking(__compat)).map(([name]) => name.replace("_static", "")),
  );
  const lacking = members.filter(([name, { __compat }]) => isLacking(__compat) && !/_(static|event)$/.test(name));
  return new Set(lacking.map(([name]) => name).filter((name) => !present.has(name)));
}

interface Syntax {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * What the script calls and one of the supported browsers lacks, except by optional calls, and where the script also
 * reads the function without calling it, to see whether it exists.
 */
export function lackingInScript(code: string): string[] {
  const found = new Map<string, string>();
  const asked = new Set<string>();

  function lookAtCall(callee: Syntax): void {
    const name = nameOf(callee);
    if (callee.type === "Identifier" && isLacking((builtins[name] ?? api[name])?.__compat)) found.set(name, name);
    if (callee.type !== "MemberExpression") return;
    const owner = nameOf(callee.object);
    const isStatic = isLacking((builtins[owner]?.[name] ?? api[owner]?.[`${name}_static`])?.__compat);
    const isOfIterator = isIterator(callee.object as Syntax) && isLacking(builtins.Iterator?.[name]?.__compat);
    if (isStatic || isOfIterator || newMethods.has(name)) found.set(`${isStatic ? owner : ""}.${name}()`, name);
  }

  function look(node: Syntax): void {
    const { callee, optional } = node as { callee?: Syntax; optional?: boolean };
    if (callee && !optional) lookAtCall(callee);
    // Not RegExp.prototype.unicodeSets, but the flag, also as the build rewrites it.
    const { flags } = (node.regex ?? {}) as { flags?: string };
    const [, given] = nameOf(callee) === "RegExp" ? (node.arguments as Syntax[]) : [];
    if (/v/.test(flags ?? nameOf(given)) && isLacking(builtins.RegExp?.unicodeSets?.__compat)) found.set("/v", "/v");
    if (node.type === "ImportAttribute") found.set("import attributes", "import attributes");
    if (node.type === "Property" && newAttributes.has(nameOf(node.key)) && !node.method)
      found.set(`{${nameOf(node.key)}}`, "");
  }

  function walk(value: unknown, isCallee = false): void {
    if (Array.isArray(value)) for (const part of value) walk(part);
    else if (typeof value === "object" && value !== null) {
      const node = value as Syntax;
      if (node.type === "MemberExpression" && !isCallee) asked.add(nameOf(node));
      if (node.type) look(node);
      for (const [key, part] of Object.entries(node)) walk(part, key === "callee");
    }
  }

  walk(parseAst(code).body);
  return [...found].filter(([, name]) => !asked.has(name)).map(([feature]) => feature);
}

/** Whether a collection's method returned it. Object.entries() and the like return arrays. */
function isIterator({ type, callee }: Syntax): boolean {
  const { object } = (callee ?? {}) as Syntax;
  if (type !== "CallExpression" || !object || nameOf(object) === "Object") return false;
  return ["entries", "keys", "matchAll", "values"].includes(nameOf(callee));
}

/** Of a variable, a member, a key or a text. */
function nameOf(node: unknown): string {
  const { name, value, property } = (node ?? {}) as { name?: unknown; value?: unknown; property?: unknown };
  return property ? nameOf(property) : String(name ?? value ?? "");
}
