import { type Html, html, htmlDocument } from "./html.ts";

interface LabelPage {
  readonly title: string;
  readonly academyName: string;
  readonly lead?: string;
  readonly body: Html;
  readonly homeUrl: string;
  readonly stylesheet: string;
  readonly script?: string;
}

export function labelPage({ title, academyName, lead, body, homeUrl, stylesheet, script }: LabelPage): string {
  return htmlDocument({
    title,
    academyName,
    stylesheets: [stylesheet],
    ...(script && { script }),
    bodyClass: "label-page",
    body: html`<main class="label">
<header class="label-stub">
<a class="label-brand" href="${homeUrl}"><span class="label-hole" aria-hidden="true"></span>${academyName}</a>
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
