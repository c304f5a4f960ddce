import type { FastifyReply } from "fastify";
import { href } from "#contract/addresses.ts";
import { type Certificate, modulesInWords } from "#contract/certificates.ts";
import { formatDay } from "#server/base/dates.ts";
import type { Context } from "#server/context/context.ts";
import { html } from "#server/http/html.ts";
import { plainPagePolicy } from "#server/http/plain-page.ts";
import { standalonePage } from "#server/http/standalone-page.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { codeInGroups } from "./codes.ts";
import { factsInWords, inWords } from "./words.ts";

/** The page where anybody verifies a certificate. It needs no script. */
export async function sendCertificatePage(
  ctx: Context,
  reply: FastifyReply,
  certificate: Certificate,
  stylesheet: string,
): Promise<FastifyReply> {
  const { name, academyName, modules, state, withdrawnAt, timeZone, pdfUrl, pictureUrl, url } = certificate;
  const title = state === "valid" ? "Valid certificate" : "Withdrawn certificate";
  const status = withdrawnAt ? `Withdrawn on ${formatDay(withdrawnAt, timeZone)}` : "Valid";
  const lead = withdrawnAt
    ? `${status}. It’s no longer valid.`
    : `${name} completed ${modulesInWords(modules)} of ${academyName}.`;
  const rows = [
    ["Status", status],
    ["Name", name],
    ...certificate.pastNames.map((past) => [`Until ${formatDay(past.until, timeZone)}`, past.name]),
    ...factsInWords(certificate),
  ];
  const body = html`<div class="part"><dl class="facts">
${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl></div>
<div class="part"><h2>What was completed</h2>
<ul>
${modules.map(({ position, title, lessons }) => html`<li>Module ${position}: ${title} (${inWords(lessons, "lesson")})</li>\n`)}</ul></div>
${state === "valid" && html`<p><a class="button" href="${pdfUrl}">Download as PDF</a></p>`}
<p class="links"><a href="${href.verify()}">Verify another certificate</a></p>`;
  const page = standalonePage({
    ...(await describeAcademy(ctx)),
    ...{ title, lead, body, homeUrl: href.home(), stylesheet, code: codeInGroups(certificate.code) },
    stamp: state === "withdrawn" ? "Not valid" : undefined,
    openGraph: {
      title: state === "valid" ? `Certificate of ${name}` : title,
      description: lead,
      url,
      ...(state === "valid" && { image: pictureUrl, "image:width": "1200", "image:height": "630" }),
    },
  });
  return reply.type("text/html; charset=utf-8").header("content-security-policy", plainPagePolicy).send(page);
}

interface CodeForm {
  readonly status: number;
  readonly title: string;
  readonly lead: string;
  /** A code that no certificate has. */
  readonly wrong?: string | undefined;
}

/** The form that leads to a certificate by its code. */
export async function sendCodeForm(
  ctx: Context,
  reply: FastifyReply,
  { status, title, lead, wrong }: CodeForm,
  stylesheet: string,
): Promise<FastifyReply> {
  const body = html`<form class="form" action="${href.verify()}">
<div class="field">
<label for="code">Code</label>
<div class="field-box"><input id="code" name="code" required maxlength="${maxTyped}" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus aria-describedby="code-hint"${
    wrong !== undefined && html` aria-invalid="true"`
  } value="${wrong ?? ""}"></div>
<p class="field-hint" id="code-hint">16 letters and digits. You can leave out the hyphens.</p>
</div>
<p><button class="button" type="submit">Verify</button></p>
</form>`;
  const page = standalonePage({ ...(await describeAcademy(ctx)), title, lead, body, homeUrl: href.home(), stylesheet });
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", plainPagePolicy)
    .send(page);
}

const maxTyped = 100;
