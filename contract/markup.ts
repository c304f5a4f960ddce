/** A part of a line: text, or a link. */
export interface Span {
  readonly text: string;
  readonly href?: string;
}

export type Block =
  | { readonly kind: "paragraph" | "heading"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly items: readonly (readonly Span[])[] };

/**
 * Parses an owner's text: paragraphs between empty lines, headings with `## `, list items with `- `, and links as
 * `[text](url)`. Everything else is plain text; HTML is not possible.
 */
export function parseMarkup(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of text.split(/\r?\n\s*\r?\n/)) {
    let paragraph: string[] = [];
    let items: (readonly Span[])[] = [];
    const end = () => {
      if (paragraph.length > 0) blocks.push({ kind: "paragraph", spans: spansOf(paragraph.join("\n")) });
      if (items.length > 0) blocks.push({ kind: "list", items });
      paragraph = [];
      items = [];
    };
    for (const line of part.split(/\r?\n/)) {
      const isItem = line.startsWith("- ");
      const isHeading = line.startsWith("## ");
      if (isHeading || isItem !== items.length > 0) end();
      if (isHeading) blocks.push({ kind: "heading", spans: spansOf(line.slice(3).trim()) });
      else if (isItem) items.push(spansOf(line.slice(2).trim()));
      else if (line.trim()) paragraph.push(line.trim());
    }
    end();
  }
  return blocks;
}

const link = /\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)/g;

function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { 0: whole, 1: text = "", 2: href = "", index } of line.matchAll(link)) {
    if (!isSafeAddress(href)) continue;
    if (index > from) spans.push({ text: line.slice(from, index) });
    spans.push({ text, href });
    from = index + whole.length;
  }
  if (from < line.length) spans.push({ text: line.slice(from) });
  return spans;
}

/** http(s), mailto and tel URLs, and our own paths; never a script. */
function isSafeAddress(address: string): boolean {
  if (/^(mailto|tel):./i.test(address)) return true;
  // Browsers treat backslashes as slashes, so two of them begin another host.
  if (/^[/#]/.test(address)) return !/^\/[/\\]/.test(address);
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

/** Whether all links have an allowed URL. */
export function hasSafeLinks(text: string): boolean {
  return [...text.matchAll(link)].every(([, , href = ""]) => isSafeAddress(href));
}

/** The plain text of all blocks, for places without markup. */
export function plainText(text: string): string {
  const words = (spans: readonly Span[]) => spans.map((span) => span.text).join("");
  return parseMarkup(text)
    .flatMap((block) => (block.kind === "list" ? block.items.map(words) : [words(block.spans)]))
    .join(" ");
}
