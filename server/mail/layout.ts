import { paletteOf } from "#contract/branding.ts";
import { mailText, renderMarkup } from "#contract/markup.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { Academy } from "#server/settings/settings.ts";
import type { Message } from "./mail.ts";
import type { Link, Reader, Rows, WrittenEmail } from "./wording.ts";

/** As in ui/styles/tokens.css. */
const light = { ground: "#f6f4ee", sheet: "#fffefb", ink: "#17150f", soft: "#575246", line: "#d9d3c3" };
const dark = { ground: "#12110e", sheet: "#201e19", ink: "#f3f0e6", soft: "#b4ad9c", line: "#3d392f" };

/** Outlook lays out tables only, and many mail programs drop style sheets, so light colors are inline. */
export function renderEmail(
  email: WrittenEmail,
  { firstName, academy }: Reader,
): Pick<Message, "subject" | "text" | "html"> {
  const { name, seller, publicUrl, supportEmail } = academy;
  const {
    subject,
    heading = subject,
    markup = "",
    isPlain = false,
    link = null,
    closing = `Questions? Write to ${supportEmail}.`,
  } = email;
  const amount = email.amount || null;
  const greeting = firstName ? `Hello ${firstName},` : null;
  const paragraphs = [greeting, ...email.paragraphs].filter(
    (words): words is string => typeof words === "string" && words !== "",
  );
  const [sum, details] = [filled(email.sum), filled(email.rows)];
  const whole = ([text, address]: Link) => ({ text, url: address.startsWith("/") ? publicUrl + address : address });
  const action = link && whole(link);
  const links = (email.otherLinks ?? []).map(whole);
  const imprint = [seller.name, ...seller.address];
  const text = [
    name,
    heading,
    ...(amount ? [amount] : []),
    ...paragraphs,
    ...(markup ? [mailText(markup, publicUrl)] : []),
    ...[sum, details].filter((rows) => rows.length > 0).map((rows) => rows.map((row) => row.join(": ")).join("\n")),
    ...[...(action ? [action] : []), ...links].map(({ text, url }) => `${text}: ${url}`),
    closing,
    ["--", ...imprint].join("\n"),
  ].join("\n\n");
  const { tag } = paletteOf(academy.colors).light;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${darkStyles(academy)}</style></head>
<body class="ground" style="margin:0;padding:0;background:${light.ground};font-family:Arial,sans-serif">
${table(`class="ground" width="100%" bgcolor="${light.ground}"`)}<tr><td align="center" style="padding:24px 12px">
${table(`class="sheet line" width="560" bgcolor="${light.sheet}" style="width:100%;max-width:560px;border:1px solid ${light.line}"`)}
<tr><td class="mark" dir="auto" bgcolor="${tag.ground}" style="padding:14px 32px;color:${tag.ink};font-size:18px;font-weight:700;overflow-wrap:anywhere">${escapeHtml(name)}</td></tr>
<tr><td class="ink" align="left" style="padding:32px;color:${light.ink};font-size:16px;line-height:1.5;text-align:start;word-break:break-word;overflow-wrap:anywhere">
${logoOf(academy)}<h1 dir="auto" style="margin:0 0 16px;font-size:24px;line-height:1.25">${escapeHtml(heading)}</h1>
${amount ? `<p style="margin:0 0 16px;font-size:44px;font-weight:700;line-height:1">${escapeHtml(amount)}</p>` : ""}
${paragraphs.map((words) => `<p dir="auto" style="margin:0 0 16px">${escapeHtml(words)}</p>`).join("\n")}
${renderMarkup(markup, { origin: publicUrl, attributes: stylesOfMarkup, isPlain })}
${sum.length > 0 ? sumTable(sum) : ""}${details.length > 0 ? detailsTable(details) : ""}
${action ? `${table(`style="margin:8px 0 20px"`)}<tr><td class="action" dir="auto" bgcolor="${light.ink}" style="padding:12px 20px"><a href="${escapeHtml(action.url)}" style="color:${light.sheet};font-weight:700;text-decoration:none">${escapeHtml(action.text)}</a></td></tr></table>` : ""}
${links.map(({ text, url }) => `<p style="margin:0 0 20px;font-size:14px"><a class="ink" href="${escapeHtml(url)}" style="color:${light.ink}">${escapeHtml(text)}</a></p>`).join("\n")}
<p class="soft" style="margin:0;color:${light.soft};font-size:14px">${escapeHtml(closing)}</p>
</td></tr></table>
<p class="soft" style="margin:16px 0 0;color:${light.soft};font-size:12px;line-height:1.5;text-align:center">${imprint.map(escapeHtml).join("<br>")}</p>
</td></tr></table></body></html>
`;
  return { subject, text, html };
}

const tableCell = {
  dir: "auto",
  class: "line",
  style: `padding:8px 16px 8px 0;border-top:1px solid ${light.line};text-align:start`,
};

const stylesOfMarkup = {
  p: { dir: "auto", style: "margin:0 0 16px" },
  h3: { dir: "auto", style: "margin:24px 0 8px;font-size:18px;line-height:1.3" },
  h4: { dir: "auto", style: "margin:24px 0 8px;font-size:16px" },
  h5: { dir: "auto" },
  h6: { dir: "auto" },
  li: { dir: "auto" },
  ul: { style: "margin:0 0 16px;padding:0 24px" },
  ol: { style: "margin:0 0 16px;padding:0 24px" },
  blockquote: { class: "line", style: `margin:0 0 16px;padding-left:16px;border-left:4px solid ${light.line}` },
  a: { class: "ink", style: `color:${light.ink}` },
  img: { style: "max-width:100%;height:auto" },
  table: { style: "margin:0 0 16px;border-collapse:collapse" },
  th: tableCell,
  td: tableCell,
};

type Filled = readonly (readonly [label: string, value: string])[];

function filled(rows: Rows = []): Filled {
  return rows.flatMap(([label, value]) => (typeof value === "string" ? [[label, value] as const] : []));
}

/** The opening tag of a table that screen readers do not announce. */
function table(attributes: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>`;
}

/** The last row is the total. */
function sumTable(rows: Filled): string {
  const row = ([label, value]: Filled[number], at: number) => {
    const total = at === rows.length - 1 ? `border-top:2px solid ${light.ink};font-weight:700;` : "";
    const cell = (style: string, words: string) =>
      `<td class="${total ? "total" : ""}" dir="auto" valign="top" style="${total}${style}">${escapeHtml(words)}</td>`;
    return `<tr>${cell("padding:8px 16px 8px 0", label)}${cell("padding:8px 0;text-align:right;white-space:nowrap", value)}</tr>`;
  };
  return `${table(`width="100%" style="margin:0 0 20px"`)}${rows.map(row).join("")}</table>`;
}

function detailsTable(rows: Filled): string {
  const border = `border-top:1px solid ${light.line}`;
  const row = ([label, value]: Filled[number]) =>
    `<tr><td class="line soft" dir="auto" valign="top" style="padding:8px 16px 8px 0;min-width:88px;word-break:normal;overflow-wrap:break-word;${border};color:${light.soft};font-size:14px">${escapeHtml(label)}</td>` +
    `<td class="line" dir="auto" valign="top" style="padding:8px 0;${border};text-align:right;font-size:14px">${escapeHtml(value)}</td></tr>`;
  return `${table(`width="100%" style="margin:0 0 20px"`)}${rows.map(row).join("")}</table>`;
}

/** The name is above it too, since many mail programs block pictures. */
function logoOf({ logo, publicUrl }: Academy): string {
  if (!logo) return "";
  const share = Math.min(1, 48 / logo.height, 240 / logo.width);
  const [width, height] = [logo.width, logo.height].map((length) => Math.round(length * share));
  const address = escapeHtml(publicUrl + logo.src);
  return `<img src="${address}" width="${width}" height="${height}" alt="${escapeHtml(logo.alt)}" style="display:block;margin:0 0 20px;padding:4px;background:${light.sheet}">`;
}

/** Outlook's own dark mode sets attributes instead of the media feature. */
function darkStyles({ colors }: Academy): string {
  const { tag, action } = paletteOf(colors).dark;
  const backgrounds: [string, string][] = [
    [".ground", `background-color:${dark.ground}`],
    [".sheet", `background-color:${dark.sheet}`],
    [".mark", `background-color:${tag.ground}`],
    [".action", `background-color:${action.ground}`],
  ];
  const texts: [string, string][] = [
    [".ink", `color:${dark.ink}`],
    [".soft", `color:${dark.soft}`],
    [".mark", `color:${tag.ink}`],
    [".action a", `color:${action.ink}`],
    [".line", `border-color:${dark.line}`],
    [".total", `border-color:${dark.ink}`],
  ];
  const rules = (of: [string, string][], prefix = "") =>
    of.map(([selector, value]) => `${prefix}${selector}{${value}!important}`).join("");
  const all = rules([...backgrounds, ...texts]);
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${all}}${rules(backgrounds, "[data-ogsb] ")}${rules(texts, "[data-ogsc] ")}`;
}
