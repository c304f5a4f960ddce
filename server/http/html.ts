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

interface HtmlDocument {
  readonly title: string;
  readonly icon?: string;
  /** Addresses. */
  readonly stylesheets: readonly string[];
  /** The address of a module. */
  readonly script?: string;
  readonly bodyClass?: string;
  /** Markup: what goes into it was escaped. */
  readonly body: string;
}

/** A page that a server answers by itself, beside the application's. No search engine lists it. */
export function htmlDocument({ title, icon = "/favicon.svg", stylesheets, script, bodyClass, body }: HtmlDocument) {
  const links = stylesheets.map((address) => `<link rel="stylesheet" href="${escapeHtml(address)}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Academy</title>
<link rel="icon" href="${escapeHtml(icon)}">
${[...links, ...(script ? [`<script type="module" src="${escapeHtml(script)}"></script>`] : [])].join("\n")}
</head>
<body${bodyClass ? ` class="${escapeHtml(bodyClass)}"` : ""}>
${body}
</body>
</html>
`;
}
