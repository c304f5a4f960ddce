import { paletteOf } from "#contract/branding.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { Academy } from "#server/settings/settings.ts";
import type { Message } from "./mail.ts";
import type { Link, Reader, WrittenEmail } from "./wording.ts";

const ink = "#17150f";

/** Uses inline styles, since mail programs drop style sheets. */
export function renderEmail(
  email: WrittenEmail,
  { firstName, academy }: Reader,
): Pick<Message, "subject" | "text" | "html"> {
  const { name, seller, colors, publicUrl, supportEmail } = academy;
  const { tag } = paletteOf(colors).light;
  const { subject, heading = subject, link = null } = email;
  const { closing = `Questions? Write to ${supportEmail}.` } = email;
  const greeting = firstName === undefined ? null : `Hello ${firstName ?? "there"},`;
  const paragraphs = [greeting, ...email.paragraphs].filter(
    (words): words is string => typeof words === "string" && words !== "",
  );
  const rows = (email.rows ?? []).flatMap(([label, value]) =>
    typeof value === "string" ? [[label, value] as const] : [],
  );
  const whole = ([text, address]: Link) => ({ text, url: address.startsWith("/") ? publicUrl + address : address });
  const action = link && whole(link);
  const links = (email.otherLinks ?? []).map(whole);
  const imprint = [seller.name, ...seller.address];
  const text = [
    name,
    heading,
    ...paragraphs,
    ...(rows.length > 0 ? [rows.map(([label, value]) => `${label}: ${value}`).join("\n")] : []),
    ...[...(action ? [action] : []), ...links].map(({ text, url }) => `${text}: ${url}`),
    closing,
    ["--", ...imprint].join("\n"),
  ].join("\n\n");
  const paragraph = (words: string) => `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(words)}</p>`;
  const row = ([label, value]: readonly [string, string]) =>
    `<tr><td style="padding:8px 16px 8px 0;border-top:1px solid #d9d3c3;color:#575246">${escapeHtml(label)}</td>` +
    `<td style="padding:8px 0;border-top:1px solid #d9d3c3;text-align:right">${escapeHtml(value)}</td></tr>`;
  const quietLink = ({ text, url }: ReturnType<typeof whole>) =>
    `<p style="margin:0 0 20px;font-size:14px"><a href="${escapeHtml(url)}" style="color:${ink}">${escapeHtml(text)}</a></p>`;
  const html = `<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;background:#f6f4ee;color:${ink};font-family:Arial,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#fffefb;border:1px solid #d9d3c3;border-top:8px solid ${tag.ground};overflow-wrap:anywhere">
${logoOf(academy)}<p style="margin:0 0 24px;font-size:14px;font-weight:700">${escapeHtml(name)}</p>
<h1 style="margin:0 0 20px;font-size:24px">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraph).join("\n")}
${rows.length > 0 ? `<table style="width:100%;border-collapse:collapse;margin:0 0 20px">${rows.map(row).join("")}</table>` : ""}
${action ? `<p style="margin:0 0 20px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;background:${ink};color:#fffefb;text-decoration:none">${escapeHtml(action.text)}</a></p>` : ""}
${links.map(quietLink).join("\n")}
<p style="margin:0;color:#575246;font-size:14px;line-height:1.5">${escapeHtml(closing)}</p>
</div>
<p style="max-width:560px;margin:16px auto 0;color:#575246;font-size:12px;line-height:1.5;text-align:center">${imprint.map(escapeHtml).join("<br>")}</p></body></html>
`;
  return { subject, text, html };
}

/** The name stays below it, since many mail programs block pictures. */
function logoOf({ logo, publicUrl }: Academy): string {
  if (!logo) return "";
  const share = Math.min(1, 48 / logo.height, 240 / logo.width);
  const [width, height] = [logo.width, logo.height].map((length) => Math.round(length * share));
  const address = escapeHtml(publicUrl + logo.src);
  return `<img src="${address}" width="${width}" height="${height}" alt="${escapeHtml(logo.alt)}" style="display:block;margin:0 0 16px">`;
}
