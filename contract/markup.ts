import MarkdownIt, { type Token } from "markdown-it";
import { brandingPath } from "./branding.ts";
import { isSafeAddress } from "./links.ts";

/** The address of an uploaded picture, with its size. */
const picture = new RegExp(`^${brandingPath}/[0-9a-f]{32}-(\\d{1,4})x(\\d{1,4})\\.png$`);

/** Wider tables are shown as text. */
const maxColumns = 20;

/** CommonMark with tables and without HTML. A line break stays one. What is nested deeper than the limit is left out. */
const parser = new MarkdownIt({ html: false, breaks: true, maxNesting: 40 });
parser.validateLink = isSafeAddress;
export const { escapeHtml } = parser.utils;

parser.core.ruler.after("block", "wide-tables", (state) => {
  const lines = state.src.split("\n");
  for (let at = 0; at < state.tokens.length; at += 1) {
    const table = state.tokens[at];
    if (table?.type !== "table_open") continue;
    let length = 1;
    let columns = 0;
    for (; state.tokens[at + length - 1]?.type !== "table_close"; length += 1) {
      if (state.tokens[at + length]?.type === "th_open") columns += 1;
    }
    if (columns <= maxColumns && !(state.env as Rendering).isPlain) continue;
    const text = new state.Token("inline", "", 0);
    text.content = lines.slice(...(table.map ?? [])).join("\n");
    text.children = [];
    state.tokens.splice(
      at,
      length,
      new state.Token("paragraph_open", "p", 1),
      text,
      new state.Token("paragraph_close", "p", -1),
    );
  }
});

// A screen reader would announce a header without words.
parser.core.ruler.after("block", "empty-headers", ({ tokens }) => {
  for (const [at, { type }] of tokens.entries()) {
    if (type !== "th_open" || tokens[at + 1]?.content !== "") continue;
    for (const tag of [tokens[at], tokens[at + 2]]) if (tag) tag.tag = "td";
  }
});

parser.renderer.rules.text = (tokens, at, _options, env) =>
  ((env as Rendering | undefined)?.text ?? escapeHtml)(tokens[at]?.content ?? "");

// Other sites would learn who reads the page. Their pictures leave their description.
parser.renderer.rules.image = (tokens, at, options, env, renderer) => {
  const image = tokens[at] as Token;
  const address = String(image.attrGet("src"));
  const description = renderer.renderInlineAsText(image.children ?? [], options, env);
  const [found, width = "", height = ""] = picture.exec(address) ?? [];
  if (found === undefined || (env as Rendering | undefined)?.isPlain) return escapeHtml(description);
  const attributes = { src: ((env as Rendering | undefined)?.origin ?? "") + address, alt: description, width, height };
  for (const [name, value] of Object.entries(attributes)) image.attrSet(name, value);
  return renderer.renderToken(tokens, at, options);
};

// A wide table scrolls by itself, also by keyboard.
const scrolling = '<div role="region" aria-label="Table" tabindex="0" class="overflow-x-auto">';
parser.renderer.rules.table_open = (tokens, at, options, _env, renderer) =>
  scrolling + renderer.renderToken(tokens, at, options);
parser.renderer.rules.table_close = () => "</table></div>\n";

// No interface, since the parser passes it on as a record.
type Rendering = {
  /** The HTML of plain text. */
  readonly text?: (text: string) => string;
  /** Where our own paths lead to, for texts that are read elsewhere, such as emails. */
  readonly origin?: string;
  /** Shows pictures as their description and tables as text. */
  readonly isPlain?: boolean;
  /** Attributes of each tag. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** The HTML of a formatted text. Its largest headings are h3. */
export function renderMarkup(text: string, rendering: Rendering = {}): string {
  const tokens = parser.parse(text, rendering);
  dress(tokens, rendering);
  return parser.renderer.render(tokens, parser.options, rendering);
}

function dress(tokens: readonly Token[], rendering: Rendering): void {
  const { origin = "", attributes = {} } = rendering;
  for (const token of tokens) {
    if (token.type.startsWith("heading_")) token.tag = `h${Math.max(3, Math.min(6, Number(token.tag[1]) + 1))}`;
    if (token.type === "link_open") {
      token.attrSet("rel", "noreferrer");
      const address = String(token.attrGet("href"));
      if (address.startsWith("/")) token.attrSet("href", origin + address);
    }
    if (token.nesting >= 0) {
      for (const [name, value] of Object.entries(attributes[token.tag] ?? {})) token.attrSet(name, value);
    }
    dress(token.children ?? [], rendering);
  }
}

/** The words of all blocks in one line, for places without markup. */
export function plainText(text: string): string {
  return blocksOf(text).join(" ");
}

/** The text part of an email: list items are marked, and links have their whole address. */
export function mailText(text: string, origin: string): string {
  return blocksOf(text, origin).join("\n\n");
}

function blocksOf(text: string, origin?: string): string[] {
  const blocks: string[] = [];
  let marker = "";
  let row: string[] | null = null;
  for (const { type, info, markup, content, children } of parser.parse(text, {})) {
    if (type === "list_item_open" && origin !== undefined) marker = info ? `${info}${markup} ` : "- ";
    if (type === "tr_open") row = [];
    if (type === "tr_close") blocks.push((row ?? []).join(" | "));
    if (type === "table_close") row = null;
    const words = type === "inline" ? wordsOf(children ?? [], origin) : content.trimEnd();
    if (type !== "inline" && type !== "fence" && type !== "code_block") continue;
    if (row) row.push(words);
    else {
      blocks.push(marker + words);
      marker = "";
    }
  }
  return blocks;
}

function wordsOf(tokens: readonly Token[], origin: string | undefined): string {
  let href = "";
  return tokens
    .map((token) => {
      if (token.type === "link_open") href = String(token.attrGet("href"));
      if (token.type === "link_close" && origin !== undefined) return ` (${href.startsWith("/") ? origin : ""}${href})`;
      return token.type === "softbreak" || token.type === "hardbreak" ? "\n" : token.content;
    })
    .join("");
}
