import type { Academy } from "#server/settings/settings.ts";
import { type Html, html, htmlDocument } from "./html.ts";

/** For a sign-in of a browser that sends no cookie at all: it keeps none, or the sign-in's has ended. */
export const noCookie =
  "We couldn't sign you in because your browser didn't send a cookie. Allow cookies for this site in your browser's settings, then try again. If they're already allowed, your sign-in took too long. Please start again.";

/** The academy whose page it is, and its branding where that differs from the built-in one. */
export type PageBranding = Pick<Academy, "name" | "icon" | "brandingStylesheet" | "logo" | "colors">;

interface StandalonePage extends Omit<PageBranding, "colors"> {
  readonly title: string;
  readonly lead?: string;
  readonly body: Html;
  readonly homeUrl: string;
  readonly stylesheet: string;
  readonly script?: string;
  readonly openGraph?: Readonly<Record<string, string>>;
}

export function standalonePage(page: StandalonePage): string {
  const { title, name, icon, brandingStylesheet, logo, lead, body, homeUrl, stylesheet, script, openGraph } = page;
  const sign = logo
    ? html`<img class="logo" src="${logo.src}" width="${logo.width}" height="${logo.height}" alt="${logo.alt}">`
    : name;
  return htmlDocument({
    title,
    academyName: name,
    icon,
    stylesheets: [stylesheet, ...(brandingStylesheet ? [brandingStylesheet] : [])],
    ...(script && { script }),
    ...(openGraph && { openGraph }),
    bodyClass: "label-page",
    body: html`<main class="label">
<header class="label-stub">
<a class="label-brand" href="${homeUrl}"><span class="label-hole" aria-hidden="true"></span>${sign}</a>
<div class="label-heading">
<h1>${title}</h1>
${lead && html`<p>${lead}</p>`}
</div>
<div class="label-code" aria-hidden="true">${barcode(title)}<span>${codeOf(title)}</span></div>
</header>
<div class="label-body">${body}</div>
</main>`,
  });
}

function barcode(text: string): Html {
  let x = 0;
  const bars = [...`${text} label`].flatMap((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return [code & 3, (code >> 2) & 3, (code >> 4) & 3].map((width, at) => {
      const bar = html`<rect x="${x}" y="0" width="${1 + (width >> (at % 2))}" height="40"/>`;
      x += 3 + width - (at % 2);
      return bar;
    });
  });
  return html`<svg viewBox="0 0 ${x} 40" preserveAspectRatio="none" focusable="false">${bars}</svg>`;
}

function codeOf(text: string): string {
  const sum = [...text].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_000_007, 7);
  return String(sum)
    .padStart(10, "0")
    .replace(/(\d)(\d{4})(\d{5})/, "$1 $2 $3");
}
