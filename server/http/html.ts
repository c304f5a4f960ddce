const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Markup that is safe to send: everything put into it was escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

/** Builds markup; values are escaped unless they are markup themselves, and null, undefined and false leave nothing. */
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
  readonly icon?: string;
  /** Addresses. */
  readonly stylesheets: readonly string[];
  /** Rules that stand in the page. */
  readonly style?: string;
  /** The address of a module. */
  readonly script?: string;
  readonly bodyClass?: string;
  readonly body: Html;
}

/** A page that a server answers by itself, beside the application's. No search engine lists it. */
export function htmlDocument(page: HtmlDocument): string {
  const { title, icon = "/favicon.svg", stylesheets, style, script, bodyClass, body } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Academy</title>
<link rel="icon" href="${icon}">
${stylesheets.map((address) => html`<link rel="stylesheet" href="${address}">\n`)}${
  style && html`<style>${new Html(style)}</style>\n`
}${script && html`<script type="module" src="${script}"></script>\n`}</head>
<body${bodyClass && html` class="${bodyClass}"`}>
${body}
</body>
</html>
`.text;
}
