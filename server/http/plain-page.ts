import { hash } from "node:crypto";
import { html, htmlDocument } from "./html.ts";
import { type PageBranding, standalonePage } from "./standalone-page.ts";

/** Inline, as such a page may be served at another host. */
const bareStyle = `
:root { color-scheme: light dark; --canvas: #f6f4ee; --surface: #fffefb; --ink: #17150f; --press: #17150f; --pressed: #fffefb }
@media (prefers-color-scheme: dark) {
  :root { --canvas: #12110d; --surface: #201e18; --ink: #f6f4ee; --press: #ffd60a; --pressed: #17150f }
}
body { margin: 0; padding: 24px 16px; background: var(--canvas); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { box-sizing: border-box; max-width: 480px; margin: 0 auto; padding: 28px 24px; background: var(--surface);
  border-top: 8px solid #ffd60a; overflow-wrap: anywhere }
h1 { margin: 0 0 12px; font-size: 2rem; line-height: 1.1 }
p { margin: 0 0 20px }
p:last-child { margin: 0 }
.button { display: inline-block; padding: 12px 20px; border: 0; background: var(--press); color: var(--pressed); font: inherit;
  font-weight: 700; text-decoration: none }
`;

export const plainPagePolicy = [
  "default-src 'none'",
  `style-src 'self' 'sha256-${hash("sha256", bareStyle, "base64")}'`,
  "font-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface PlainPage {
  readonly title: string;
  readonly message: string;
  /** The page's button: a link, or a form that posts to the page's own address. */
  readonly link: { readonly href: string; readonly text: string } | { readonly post: string };
}

/**
 * A page without scripts, for requests that the application did not make.
 * @param look what makes it look like the academy's own pages
 */
export function plainPage(
  { title, message, link }: PlainPage,
  look: (PageBranding & { readonly stylesheet: string }) | null,
): string {
  const button =
    "post" in link
      ? html`<form method="post"><p><button class="button" type="submit">${link.post}</button></p></form>`
      : html`<p><a class="button" href="${link.href}">${link.text}</a></p>`;
  if (look) return standalonePage({ ...look, title, lead: message, body: button, homeUrl: "/" });
  const body = html`<main>\n<h1>${title}</h1>\n<p>${message}</p>\n${button}\n</main>`;
  return htmlDocument({ title, academyName: null, stylesheets: [], style: bareStyle, body });
}
