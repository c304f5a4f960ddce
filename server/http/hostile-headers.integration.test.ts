import { expect } from "vitest";
import { uploadProfileImage } from "#contract/profile.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendUnchecked } from "#test/raw-requests.ts";

const { academy, administrator, test } = await academyOfFile({
  METRICS_TOKEN: "twenty characters of token",
  TRUST_PROXY: "loopback",
});

/** Letters outside ASCII as a browser sends them and as Latin-1, half a letter, every byte that a header may hold. */
const texts = [
  Buffer.from("größer").toString("latin1"),
  "größer",
  "\xc3",
  "\xff\xfe",
  Array.from({ length: 128 }, (_, at) => String.fromCharCode(128 + at)).join(""),
  "%ff%00%zz",
  "=?utf-8?b?8J+YgA==?=",
  "a".repeat(4000),
  ", ,;;==\"'\\",
];
const signed = (text: string) => `academy-${new URL(academy.url).port}=${text}.${text}`;

/** Where each header is read, and how such a text stands in it. */
const headers: readonly [name: string, form: (text: string) => string, method: string, path: string][] = [
  ["authorization", (text) => text, "GET", "/metrics"],
  ["authorization", (text) => `Bearer ${text}`, "GET", "/metrics"],
  ["authorization", (text) => `Basic ${text}`, "DELETE", "/issuer/accounts/somebody"],
  ["authorization", (text) => `Basic ${text}`, "POST", "/issuer/token"],
  ["authorization", (text) => `Bearer ${text}`, "GET", "/issuer/me"],
  ["x-anet-signature", (text) => text, "POST", "/api/authorize-net/webhook"],
  ["x-anet-signature", (text) => `sha512=${text.padEnd(128, "f").slice(0, 128)}`, "POST", "/api/authorize-net/webhook"],
  ["cookie", (text) => text, "GET", "/api/auth/user"],
  ["cookie", (text) => signed(text), "GET", "/api/auth/user"],
  ["cookie", (text) => signed(encodeURIComponent(text)), "GET", "/"],
  ["cookie", (text) => `_session=${text}; _session.sig=${text}; _interaction=${text}`, "GET", "/issuer/auth"],
  ["origin", (text) => text, "POST", "/api/contact"],
  ["content-type", (text) => text, "POST", "/api/contact"],
  ["content-type", (text) => `multipart/form-data; boundary=${text}`, "POST", uploadProfileImage.path],
  ["content-type", (text) => `multipart/form-data; boundary=${text}`, "POST", "/api/upload-resource"],
  ["user-agent", (text) => text, "GET", "/api/login"],
  ["accept", (text) => text, "GET", "/api/nothing"],
  ["accept-encoding", (text) => text, "GET", "/"],
  ["if-none-match", (text) => `"${text}"`, "GET", "/"],
  ["if-modified-since", (text) => text, "GET", "/api/course-pricing"],
  ["range", (text) => `bytes=${text}`, "GET", "/samples/lesson-1-1.mp4"],
  ["sec-fetch-site", (text) => text, "POST", "/api/contact"],
  ["sec-fetch-dest", (text) => text, "GET", "/"],
  ["x-forwarded-for", (text) => text, "GET", "/api/course-pricing"],
  ["x-forwarded-for", (text) => `203.0.113.9, ${text}`, "POST", "/api/contact"],
  ["x-forwarded-host", (text) => text, "GET", "/api/login"],
  ["x-forwarded-proto", (text) => text, "GET", "/api/login"],
  ["x-viewer", (text) => text, "GET", "/api/auth/user"],
  ["referer", (text) => text, "GET", "/api/login"],
];

/** With the administrator's cookie unless the text stands in another one. Bytes that are not ASCII go as they are. */
async function statusOf(method: string, path: string, name: string, value: string): Promise<number> {
  const isPost = method === "POST";
  const type = isPost && { "content-type": "application/json" };
  const headers = { cookie: administrator.cookieHeader, origin: academy.url, ...type, [name]: value };
  return (await sendUnchecked(academy.url + path, { method, headers, ...(isPost && { body: "{}" }) })).status;
}

test.each(headers)("any bytes in %s cause no server error", async (name, form, method, path) => {
  for (const text of texts) {
    const status = await statusOf(method, path, name, form(text));
    expect(status, `${method} ${path} ${name}: ${form(text).slice(0, 60)}`).toBeLessThan(500);
  }
});

test("any file name is accepted", async () => {
  for (const text of texts) {
    const parts = `--b\r\nContent-Disposition: form-data; name="profileImage"; filename="${text.replaceAll('"', "")}"\r\n\r\nx\r\n--b--\r\n`;
    const response = await administrator.send("POST", uploadProfileImage.path, Buffer.from(parts, "latin1"), {
      "content-type": "multipart/form-data; boundary=b",
    });
    expect([400, 413, 415, 422], text).toContain(response.status);
  }
});
