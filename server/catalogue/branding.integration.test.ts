import sharp from "sharp";
import { expect } from "vitest";
import { getContent } from "#contract/admin/content.ts";
import { uploadPicture } from "#contract/admin/pictures.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { changeSettings, publish } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendPicture } from "#test/uploads/uploads.ts";

// The tests follow one another: an administrator gives the academy its own branding.

const { academy, administrator: admin, test } = await academyOfFile();

const get = (path: string, headers: Record<string, string> = {}) =>
  academy.inject({ url: academy.url + path, headers });
const textOf = async (path: string) => (await get(path)).body;

const upload = (kind: string, content: Uint8Array) => sendPicture(admin, uploadPicture.path, kind, content);

const drawn = (width: number, height: number, background = "#1a2b5c") =>
  sharp({ create: { width, height, channels: 4, background } });

test("an academy without branding sends none, and links to it show the built-in image", async () => {
  const landing = await textOf("/");
  expect(landing).not.toContain("/look/");
  expect(landing).not.toContain('id="academy-look"');
  expect(landing).toMatch(/<meta property="og:image" content="[^"]+\/social\.png">/);
  const image = await get("/social.png");
  expect(image.headers["content-type"]).toBe("image/png");
  expect((await get("/social.png", { "if-none-match": String(image.headers.etag) })).statusCode).toBe(304);
});

test("only a PNG, WebP or JPEG becomes a logo, drawn anew; anything else is refused in a sentence [U15 U16 U17]", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const gif = await drawn(60, 60).gif().toBuffer();
  const unreadable = "We couldn't read this file as an image.";
  for (const [content, cause] of [
    [Buffer.from(svg), "SVG images can't be used here."],
    [gif, "GIF images can't be used here."],
    [Buffer.from("<!doctype html>"), unreadable],
    [Buffer.alloc(0), unreadable],
  ] as const) {
    expect(await upload("logo", content)).toMatchObject({
      status: 422,
      message: `${cause} Please choose a PNG, WebP or JPEG picture.`,
    });
  }
  expect(await upload("logo", Buffer.alloc(2 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  expect(await upload("icon", await drawn(20, 90).png().toBuffer())).toMatchObject({ status: 422 });
  expect(await upload("portrait", gif)).toMatchObject({ status: 400 });
  for (const format of ["png", "webp", "jpeg"] as const) {
    const content = await drawn(1280, 240)
      .withExif({ IFD0: { Copyright: "Elm Street 7" } })
      .toFormat(format)
      .toBuffer();
    const { status, src, width, height } = await upload("logo", content);
    expect({ status, width, height }).toEqual({ status: 200, width: 640, height: 120 });
    const served = await get(src);
    expect(served.headers).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: "png", width: 640, height: 120 });
    expect(served.rawPayload.includes("Elm Street")).toBe(false);
  }
});

test("an invalid colour and an unknown picture are refused by their fields", async () => {
  expect((await changeSettings(admin, { brandColor: "red; } body { display: none" })).body.errors).toEqual({
    brandColor: ["Enter a color such as #1a6b3c"],
  });
  expect((await changeSettings(admin, { logo: `${"0".repeat(32)}-10x10` })).body.errors).toEqual({
    logo: ["Upload it again"],
  });
  expect((await changeSettings(admin, { icon: "../../social" })).body.errors).toEqual({
    icon: ["Not a picture that was uploaded"],
  });
});

test("once published, pages, sign-in pages, mails, receipts and the shared image carry the branding", async () => {
  const logo = await upload("logo", await drawn(400, 100, "#0f7b4f").png().toBuffer());
  const icon = await upload("icon", await drawn(300, 256, "#0f7b4f").png().toBuffer());
  await changeSettings(admin, {
    name: "Salt & Sugar",
    brandColor: "#1A2B5C",
    logo: logo.id,
    logoAlt: "A loaf",
    icon: icon.id,
  });
  expect(await textOf("/")).not.toContain("/look/");
  await publish(admin);

  const sign = `src="${logo.src}" width="400" height="100" alt="A loaf"`;
  for (const path of ["/", "/contact", "/dashboard"]) {
    const page = await textOf(path);
    expect(page, path).toMatch(
      /<style id="academy-look">html:root,html \.scheme-light\{--tag:var\(--if-light,#1a2b5c\)/,
    );
    expect(page, path).toContain(`<link rel="icon" href="${icon.src}" type="image/png">`);
    if (path !== "/dashboard") expect(page.includes(sign), path).toBe(true);
  }
  const stylesheet = "/look/colors-1a2b5c-c8201a.css";
  const signIn = await textOf("/issuer/reset-password/ask");
  expect(signIn).toContain(`<link rel="stylesheet" href="${stylesheet}">`);
  expect(signIn).toContain(sign);
  expect((await get(stylesheet)).body).toContain("--tag:var(--if-light,#1a2b5c)");
  expect((await get(stylesheet)).headers["content-type"]).toBe("text/css; charset=utf-8");
  expect(JSON.parse(await textOf("/site.webmanifest")).icons).toEqual([
    { src: icon.src, type: "image/png", sizes: "256x256" },
  ]);

  const [, image = ""] = /<meta property="og:image" content="[^"]*?(\/look\/[^"]+)">/.exec(await textOf("/")) ?? [];
  const shared = await get(image);
  expect(shared.headers["cache-control"]).toContain("immutable");
  expect(await sharp(shared.rawPayload).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  expect((await get("/social.png")).headers.location).toBe(image);
  expect((await get(`/look/social-${"0".repeat(16)}.png`)).headers.location).toBe(image);

  const student = await academy.visitor().signUpAtIssuer();
  await student.buy("premium");
  const mail = await academy.mailTo(student, "is ready");
  expect(mail.html).toContain('bgcolor="#1a2b5c"');
  expect(mail.html).toContain(`src="${academy.url}${logo.src}" width="192" height="48" alt="A loaf"`);
  const confirm = await academy.mailTo(student, "Confirm");
  expect(confirm.html).toContain(`src="${academy.url}${logo.src}"`);
  const [payment] = (await student.call(listPayments)).body;
  const pdf = await student.send("GET", `/api/user/receipts/${payment?.receiptId}/pdf`);
  const written = Buffer.from(await pdf.arrayBuffer()).toString("latin1");
  expect(written).toContain("/Subtype /Image");
});

test("an emptied field is built in again, and a published picture stays for mails that were sent", async () => {
  const { settings } = (await admin.call(getContent)).body;
  await changeSettings(admin, { name: "Academy", brandColor: null, logo: null, logoAlt: null, icon: null });
  await publish(admin);
  expect(await textOf("/")).not.toContain("/look/");
  expect((await get(`/look/${settings.published?.logo}.png`)).statusCode).toBe(200);
});
