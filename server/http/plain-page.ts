import { escapeHtml } from "./html.ts";

/** What a plain page may load and do: its stylesheet, and nothing else. */
export const plainPagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What a page of one sentence says. */
export interface PlainPage {
  readonly title: string;
  readonly message: string;
  readonly link: { readonly href: string; readonly text: string };
}

/**
 * A whole HTML page of one sentence and one way on, for the few answers that a browser lands on without the
 * application, such as a sign-in that failed. `stylesheet` is the address of the sign-in pages' styles, if built.
 */
export function plainPage(page: PlainPage, stylesheet: string | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Academy</title>
<link rel="icon" href="/favicon.svg">
${stylesheet ? `<link rel="stylesheet" href="${escapeHtml(stylesheet)}">` : ""}
</head>
<body>
<main class="label">
<h1>${escapeHtml(page.title)}</h1>
<p role="alert">${escapeHtml(page.message)}</p>
<p><a class="button" href="${escapeHtml(page.link.href)}">${escapeHtml(page.link.text)}</a></p>
</main>
</body>
</html>
`;
}
