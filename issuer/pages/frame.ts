import type { FastifyReply } from "fastify";
import { type Html, html } from "#server/http/html.ts";
import { standalonePage } from "#server/http/standalone-page.ts";
import type { Reader } from "#server/mail/wording.ts";

/** What every page needs to know about the site. */
export interface Site {
  /** Read anew with each request, since an administrator may publish another. */
  academy: Reader["academy"];
  /** The issuer's address without a slash at the end, e.g. `http://localhost:3000/issuer`. */
  readonly url: string;
  /** The path of that address, e.g. `/issuer`. */
  readonly path: string;
  /** Where "back to the academy" leads. */
  readonly homeUrl: string;
  /** Where the signed-in person's profile is, by way of a sign-in that nobody notices. */
  readonly profileUrl: string;
  /** Leads to the path by way of a sign-in that nobody notices, with which the client learns what has changed. */
  readonly signInUrl: (path: string) => string;
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

export function page({ academy, homeUrl, stylesheet, path }: Site, content: Page): string {
  return standalonePage({ ...academy, ...content, homeUrl, stylesheet, script: `${path}/page.js` });
}

/** Sends a page that must not be cached, framed, or load scripts of other origins. */
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
    // With `no-referrer`, browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  };
}

interface Field {
  /** The name when absent; two forms of a page may have fields of one name. */
  readonly id?: string;
  readonly name: string;
  readonly label: string;
  /** With `type="email"`, browsers refuse or rewrite international addresses, so that the page has `text` instead. */
  readonly type?: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  readonly isOptional?: boolean;
}

/** A labelled field. Keeps what was typed, except a password. */
export function field(field: Field): Html {
  const { name, id = name, label, type = "text", autocomplete, value, hint, error, autofocus, isOptional } = field;
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${id}">${label}</label>
<div class="field-box">
<input id="${id}" name="${name}" type="${type === "email" ? "text" : type}" autocomplete="${autocomplete}"${isOptional ? "" : " required"}${
    type === "password" ? "" : html` maxlength="254" value="${value ?? ""}"`
  }${type === "email" && html` inputmode="email" autocapitalize="none" spellcheck="false"`}${
    notes && html` aria-describedby="${notes}"`
  }${error && html` aria-invalid="true"`}${(autofocus || error) && html` autofocus`}>
${type === "password" && html`<button class="field-reveal" type="button" data-reveals="${id}" hidden>Show</button>`}
</div>
${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="field-error" id="${id}-error" role="alert">${error}</p>`}
</div>`;
}

/** An error of the form as a whole, announced by screen readers. */
export function alert(message: string | null | undefined): Html | null {
  return message ? html`<p class="alert" role="alert">${message}</p>` : null;
}
