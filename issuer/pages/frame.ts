import type { FastifyReply } from "fastify";
import { htmlDocument } from "#server/http/html.ts";
import { type Html, html } from "./html.ts";

/** What every page needs to know of where it stands. */
export interface Site {
  /** The issuer's address without a slash at the end, e.g. `http://localhost:3000/issuer`. */
  readonly url: string;
  /** The path of that address, e.g. `/issuer`. */
  readonly path: string;
  readonly homeUrl: string;
  /** Where the signed-in person's profile is, by way of a sign-in that nobody notices. */
  readonly profileUrl: string;
  readonly contactUrl: string;
  readonly stylesheet: string;
  /** Origins that a form here may lead to: browsers apply form-action to the redirects after a post too. */
  readonly formTargets: readonly string[];
}

interface Page {
  readonly title: string;
  /** One line under the heading. */
  readonly lead?: string;
  readonly body: Html;
}

/** A whole page: a shipping label whose stub carries the heading, torn along its perforation from the form. */
export function page(site: Site, { title, lead, body }: Page): string {
  const label = html`<main class="label">
<header class="label-stub">
<a class="label-brand" href="${site.homeUrl}"><span class="label-hole" aria-hidden="true"></span>Academy</a>
<div class="label-heading">
<h1>${title}</h1>
${lead && html`<p>${lead}</p>`}
</div>
<div class="label-code" aria-hidden="true">${barcode(title)}<span>${codeOf(title)}</span></div>
</header>
<div class="label-body">${body}</div>
</main>`;
  const script = `${site.path}/page.js`;
  return htmlDocument({ title, stylesheets: [site.stylesheet], script, bodyClass: "label-page", body: label.text });
}

/** Sends a page that nobody may keep, frame or script from elsewhere. */
export function sendPage(reply: FastifyReply, site: Site, content: Page, status = 200): FastifyReply {
  return reply.code(status).headers(pageHeaders(site)).type("text/html; charset=utf-8").send(page(site, content));
}

export function pageHeaders(site: Site, inlineScript = ""): Record<string, string> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      `script-src 'self' ${inlineScript}`.trimEnd(),
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self'",
      `form-action ${["'self'", ...site.formTargets].join(" ")}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    // With no-referrer browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

interface Field {
  /** The name when absent; two forms of a page may have fields of one name. */
  readonly id?: string;
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
}

/** A labelled field. What was typed stays, except for a password. */
export function field(field: Field): Html {
  const { name, id = name, label, type = "text", autocomplete, value, hint, error, autofocus } = field;
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${id}">${label}</label>
<div class="field-box">
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    type === "password" ? html` maxlength="512"` : html` maxlength="254" value="${value ?? ""}"`
  }${type === "email" && html` inputmode="email" autocapitalize="none" spellcheck="false"`}${
    notes && html` aria-describedby="${notes}"`
  }${error && html` aria-invalid="true"`}${(autofocus || error) && html` autofocus`}>
${type === "password" && html`<button class="field-reveal" type="button" data-reveals="${id}" hidden>Show</button>`}
</div>
${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${id}-error" role="alert">${error}</p>`}
</div>`;
}

/** What went wrong with the form as a whole; read out at once. */
export function alert(message: string | null | undefined): Html | null {
  return message ? html`<p class="alert" role="alert">${message}</p>` : null;
}

/** Bars drawn from the letters of the text: an ornament, nothing scans it. */
function barcode(text: string): Html {
  let x = 0;
  const bars = [...`${text} academy`].flatMap((letter) => {
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
