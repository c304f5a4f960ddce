import { type ChildNode, type Container, parse, type Root, type Rule } from "postcss";

/**
 * The part of the style sheet that a page's HTML can use as it stands, in the sheet's own order and layers, so that the
 * whole sheet, when it arrives, changes nothing that is seen. Files that the sheet asks for (fonts) are left to it.
 * What cannot be told from names alone (states, attributes, positions in the tree) counts as used.
 */
export function stylesOf(sheet: string, html: string): string {
  const root = parse(sheet);
  const names = namesIn(html);
  keepUsed(root, (selector) => mayMatch(selector, names));
  dropUnused(root, html);
  dropEmpty(root);
  return root.toString();
}

interface Names {
  classes: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

function namesIn(html: string): Names {
  const classes = [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, list = ""]) => decode(list).split(/\s+/));
  const tags = [...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag = ""]) => tag.toLowerCase());
  return { classes: new Set(classes), tags: new Set(tags) };
}

function decode(attribute: string): string {
  return attribute
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function keepUsed(container: Container<ChildNode>, isUsed: (selector: string) => boolean): void {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type === "comment") node.remove();
    else if (node.type === "rule") keepUsedSelectors(node, isUsed);
    else if (node.type === "atrule" && node.name !== "keyframes" && node.nodes) keepUsed(node, isUsed);
  }
}

function keepUsedSelectors(rule: Rule, isUsed: (selector: string) => boolean): void {
  const used = rule.selectors.filter(isUsed);
  if (used.length === 0) rule.remove();
  else {
    rule.selectors = used;
    keepUsed(rule, isUsed);
  }
}

/** Every class and element that the selector names stands in the page; what its functions name is not examined. */
function mayMatch(selector: string, { classes, tags }: Names): boolean {
  let plain = selector.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code: string | undefined, character: string) =>
    String.fromCharCode(escaped + (code ? Number.parseInt(code, 16) : character.charCodeAt(0))),
  );
  plain = plain.replace(/\[[^\]]*\]/g, "");
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, "");
  const named = [...plain.matchAll(/\.([\w\-\u{e000}-\u{f8ff}]+)/gu)].map(([, name = ""]) => unescaped(name));
  const elements = [...plain.matchAll(/(?<=^|[\s>+~])[a-z][\w-]*/gi)].map(([name]) => name.toLowerCase());
  return named.every((name) => classes.has(name)) && elements.every((name) => tags.has(name));
}

/** Where escaped characters are put meanwhile, so that they are not taken for punctuation. */
const escaped = 0xe000;

function unescaped(name: string): string {
  return name.replace(/[\u{e000}-\u{f8ff}]/gu, (one) => String.fromCharCode(one.charCodeAt(0) - escaped));
}

/** Takes out fonts to fetch, and variables and keyframes that nothing left speaks of, until that changes nothing more. */
function dropUnused(root: Root, html: string): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    const spokenOf = new Set(`${root.toString()} ${html}`.match(/(?<=var\(\s*)--[\w-]+/g));
    const animations: string[] = [];
    root.walkDecls(/^(animation|--)/, ({ value }) => void animations.push(value));
    const drop = (node: ChildNode) => {
      node.remove();
      isChanged = true;
    };
    root.walkDecls(/^--/, (declaration) => {
      if (!spokenOf.has(declaration.prop)) drop(declaration);
    });
    root.walkAtRules((rule) => {
      if (rule.name === "property" && !spokenOf.has(rule.params)) drop(rule);
      if (rule.name === "keyframes" && !animations.some((value) => value.includes(rule.params))) drop(rule);
      if (rule.name === "font-face" && rule.toString().includes("url(")) drop(rule);
    });
  }
}

/** Layers stay, as the first mention of each decides their order. */
function dropEmpty(container: Container<ChildNode>): void {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type !== "rule" && node.type !== "atrule") continue;
    dropEmpty(node);
    if (node.nodes?.length === 0 && !(node.type === "atrule" && node.name === "layer")) node.remove();
  }
}
