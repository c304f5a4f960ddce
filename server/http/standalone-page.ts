import { barsOf } from "#contract/barcode.ts";
import type { Academy } from "#server/settings/settings.ts";
import { type Html, html, htmlDocument } from "./html.ts";

/** For a sign-in of a browser that sends no cookie at all: it keeps none, or the sign-in's has ended. */
export const noCookie =
  "We couldn't sign you in because your browser didn't send a cookie. Allow cookies for this site in your browser's settings, then try again. If they're already allowed, your sign-in took too long. Please start again.";

/** The academy whose page it is, and its branding where that differs from the built-in one. */
export type PageBranding = Pick<Academy, "name" | "icon" | "brandingStylesheet" | "logo" | "colors" | "isPlain">;

interface StandalonePage extends Omit<PageBranding, "colors"> {
  readonly title: string;
  readonly lead?: string;
  /** Across the heading, on a page about something that has lost its validity. */
  readonly stamp?: string | undefined;
  /** Below the bars in a wide window. */
  readonly code?: string;
  readonly body: Html;
  readonly homeUrl: string;
  readonly stylesheet: string;
  readonly script?: string;
  readonly openGraph?: Readonly<Record<string, string>>;
}

export function standalonePage(page: StandalonePage): string {
  const { title, name, icon, isPlain, brandingStylesheet, logo, lead, stamp, code } = page;
  const { body, homeUrl, stylesheet, script, openGraph } = page;
  const sign = logo
    ? html`<img class="logo" src="${logo.src}" width="${logo.width}" height="${logo.height}" alt="${logo.alt}">`
    : name;
  return htmlDocument({
    title,
    academyName: name,
    icon,
    isPlain,
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
${stamp && html`<p class="label-stamp">${stamp}</p>`}
</div>
<div class="label-code" aria-hidden="true"><svg viewBox="0 0 100 20" preserveAspectRatio="none" focusable="false"><path d="${barsOf(code ?? title)}"/></svg>${code}</div>
</header>
<div class="label-body">${body}</div>
</main>`,
  });
}
