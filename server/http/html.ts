const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Markup whose values are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

/** Escapes values that are not Html; null, undefined and false render as nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, string, at) => text + render(values[at - 1]) + string));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(render).join("");
  return escapeHtml(String(value));
}

interface HtmlDocument {
  readonly title: string;
  /** Null: the page belongs to no academy. */
  readonly academyName: string | null;
  readonly icon?: string;
  readonly stylesheets: readonly string[];
  readonly style?: string;
  readonly script?: string;
  readonly bodyClass?: string;
  readonly isPlain?: boolean;
  /** What other sites show for a link to the page, by property. */
  readonly openGraph?: Readonly<Record<string, string>>;
  readonly body: Html;
}

/** A whole document, which search engines are told not to list. */
export function htmlDocument(page: HtmlDocument): string {
  const {
    title,
    academyName,
    icon = "/favicon.svg",
    stylesheets,
    style,
    script,
    bodyClass,
    isPlain,
    body,
    openGraph = {},
  } = page;
  return html`<!doctype html>
<html lang="en"${isPlain && html` data-plain`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${academyName ? `${title} · ${academyName}` : title}</title>
${Object.entries(openGraph).map(([property, content]) => html`<meta property="og:${property}" content="${content}">\n`)}<link rel="icon" href="${icon}">
${stylesheets.map((address) => html`<link rel="stylesheet" href="${address}">\n`)}${
  style && html`<style>${new Html(style)}</style>\n`
}${script && html`<script type="module" src="${script}"></script>\n`}</head>
<body${bodyClass && html` class="${bodyClass}"`}>
${body}
</body>
</html>
`.text;
}
