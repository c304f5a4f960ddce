import sharp from "sharp";
import { expect } from "vitest";
import { draftCopy, getContent, previewUrl, publishContent } from "#contract/admin/content.ts";
import { uploadFigure, uploadPicture } from "#contract/admin/pictures.ts";
import type { CopyOf, CopyPart } from "#contract/copy.ts";
import { academyOfFile } from "#test/fixtures.ts";

// The tests follow one another: an administrator gives the landing page pictures.

const { academy, administrator: admin, test } = await academyOfFile();

const get = (path: string) => academy.inject({ url: academy.url + path });

async function uploaded(kind: "figure" | "portrait" | "logo", background: string) {
  const area = { create: { width: 900, height: 1600, channels: 3, background } } as const;
  const form = new FormData();
  form.set(kind, new Blob([new Uint8Array(await sharp(area).jpeg().toBuffer())]));
  const response = await admin.send("POST", (kind === "logo" ? uploadPicture : uploadFigure).path, form);
  return (await response.json()) as { id: string; src: string; width: number; height: number };
}

async function write<Part extends CopyPart>(part: Part, changes: (copy: CopyOf<Part>) => object) {
  const found = (await admin.call(getContent)).body.copy.find(({ id }) => id === part);
  const copy = (found?.draft ?? found?.published) as CopyOf<Part>;
  const body = { ...copy, ...changes(copy) } as CopyOf<Part>;
  return admin.call(draftCopy, { query: { version: found?.version ?? "" }, body });
}

const publish = () => admin.call(publishContent, { body: {} });
const withPicture = (picture: object) => (copy: CopyOf<"testimonials">) => ({
  testimonials: copy.testimonials.map((one, at) => (at === 1 ? { ...one, picture } : one)),
});

test("a portrait is made smaller than a figure, and both are served as WebP too", async () => {
  expect(await uploaded("portrait", "#7a3b12")).toMatchObject({ width: 338, height: 600 });
  const { id, width, height } = await uploaded("figure", "#1a6b3c");
  expect({ width, height }).toEqual({ width: 675, height: 1200 });
  const { headers, rawPayload } = await get(`/look/${id}.webp`);
  expect(headers).toMatchObject({ "content-type": "image/webp", "x-content-type-options": "nosniff" });
  expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width, height });
  expect((await get(`/look/${"0".repeat(32)}-9x9.webp`)).statusCode).toBe(404);
});

test("a picture needs words or is decorative, and one that was not uploaded is refused at its field", async () => {
  const { id } = await uploaded("portrait", "#7a3b12");
  expect((await write("testimonials", withPicture({ id, alt: " " }))).body.errors).toEqual({
    "testimonials.1.picture.alt": ["Required"],
  });
  const unknown = withPicture({ id: `${"0".repeat(32)}-10x10`, alt: null });
  expect((await write("testimonials", unknown)).body.errors).toEqual({
    "testimonials.1.picture.id": ["Upload it again"],
  });
  expect((await write("hero", () => ({ picture: { id: "../social", alt: null } }))).body.errors).toEqual({
    "picture.id": ["Not a picture that was uploaded"],
  });
});

test("a logo is refused as a picture of the landing page, which is served as WebP", async () => {
  const { id } = await uploaded("logo", "#204080");
  expect((await write("hero", () => ({ picture: { id, alt: null } }))).body.errors).toEqual({
    "picture.id": ["Upload it again"],
  });
});

const published: string[] = [];

test("pictures of the page, the instructor and reviewers show once they are published", async () => {
  const [page, instructor, reviewer] = [
    await uploaded("figure", "#112233"),
    await uploaded("portrait", "#223344"),
    await uploaded("portrait", "#334455"),
  ];
  await write("hero", () => ({ picture: { id: page.id, alt: "A “loaf” <on a board>" } }));
  await write("instructor", () => ({ picture: { id: instructor.id, alt: null } }));
  await write("testimonials", withPicture({ id: reviewer.id, alt: "Gordon" }));
  const pictures = [page, instructor, reviewer].map(
    ({ id, width, height }) => `/look/${id}.webp" width="${width}" height="${height}`,
  );
  published.push(page.src, instructor.src, reviewer.src);
  expect((await get("/")).body).not.toContain("/look/");
  const preview = await (await admin.send("GET", previewUrl("hero"))).text();
  for (const picture of pictures) expect(preview).toContain(picture);

  expect((await publish()).body.message).toBe("Published: 3");
  const landing = (await get("/")).body;
  for (const picture of pictures) expect(landing).toContain(picture);
  expect(landing).toContain('alt="A “loaf” &lt;on a board&gt;"');
  expect(landing).toContain(`"image":"${academy.url}/look/${instructor.id}.png"`);
});

test("without a picture the page shows its drawings again", async () => {
  await write("hero", () => ({ picture: null }));
  await write("instructor", () => ({ picture: null }));
  await write("testimonials", (copy) => ({
    testimonials: copy.testimonials.map((one) => ({ ...one, picture: null })),
  }));
  await publish();
  const landing = (await get("/")).body;
  expect(landing).not.toContain("/look/");
  expect(landing).toContain('viewBox="0 0 120 144"');
});

test("a published picture stays, and one that was only uploaded goes after a month", async () => {
  const { src } = await uploaded("portrait", "#445566");
  await academy.advance("31d");
  await academy.advance("61m");
  const statuses = await Promise.all([...published, src].map(async (one) => (await get(one)).statusCode));
  expect(statuses).toEqual([200, 200, 200, 404]);
});
