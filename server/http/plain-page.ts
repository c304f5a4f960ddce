import { escapeHtml, htmlDocument } from "./html.ts";

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
export function plainPage({ title, message, link }: PlainPage, stylesheet: string | null): string {
  const body = `<main class="label">
<h1>${escapeHtml(title)}</h1>
<p role="alert">${escapeHtml(message)}</p>
<p><a class="button" href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>
</main>`;
  return htmlDocument({ title, stylesheets: stylesheet ? [stylesheet] : [], body });
}
