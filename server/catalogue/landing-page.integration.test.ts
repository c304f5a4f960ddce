import sharp from "sharp";
import { expect } from "vitest";
import { listClaims } from "#contract/admin/claims.ts";
import { previewUrl } from "#contract/admin/content.ts";
import { uploadFigure, uploadPicture } from "#contract/admin/pictures.ts";
import { type CopyOf, type CopyPart, getCopy, type LandingSection } from "#contract/copy.ts";
import { changeCopy, publish } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendPicture } from "#test/uploads/uploads.ts";

// The tests follow one another: an administrator gives the landing page pictures, and arranges its sections.

const { academy, administrator: admin, test } = await academyOfFile();

const get = (path: string) => academy.inject({ url: academy.url + path });

async function uploaded(kind: "figure" | "portrait" | "logo", background: string) {
  const area = { create: { width: 900, height: 1600, channels: 3, background } } as const;
  const { path } = kind === "logo" ? uploadPicture : uploadFigure;
  return sendPicture(admin, path, kind, await sharp(area).jpeg().toBuffer());
}

const write = <Part extends CopyPart>(part: Part, changes: (copy: CopyOf<Part>) => object) =>
  changeCopy(admin, part, changes);
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

test("a picture needs words or is decorative, and one that is not of the page is refused at its field", async () => {
  const { id } = await uploaded("portrait", "#7a3b12");
  expect((await write("testimonials", withPicture({ id, alt: " " }))).body.errors).toEqual({
    "testimonials.1.picture.alt": ["Required"],
  });
  const unknown = withPicture({ id: `${"0".repeat(32)}-10x10`, alt: null });
  expect((await write("testimonials", unknown)).body.errors).toEqual({
    "testimonials.1.picture.id": ["Upload it again"],
  });
  // A logo is not served as WebP, as pictures of the page are.
  const logo = await uploaded("logo", "#204080");
  for (const [id, refusal] of [
    ["../social", "Not a picture that was uploaded"],
    [logo.id, "Upload it again"],
  ]) {
    const { body } = await write("hero", () => ({ picture: { id, alt: null } }));
    expect(body.errors).toEqual({ "picture.id": [refusal] });
  }
});

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
  expect((await get("/")).body).not.toContain("/look/");
  const preview = await (await admin.send("GET", previewUrl("hero"))).text();
  for (const picture of pictures) expect(preview).toContain(picture);

  expect((await publish(admin)).message).toBe("Published: 3");
  // Without this time they would go after a month.
  const { rows } = await academy.pool.query("select id from pictures where published_at is not null");
  expect(rows.map(({ id }) => id).toSorted()).toEqual([page.id, instructor.id, reviewer.id].toSorted());
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
  await publish(admin);
  const landing = (await get("/")).body;
  expect(landing).not.toContain("/look/");
  expect(landing).toContain('viewBox="0 0 120 144"');
});

const sectionsIn = (html: string) =>
  [
    ...html.matchAll(/<h2 id="(sum|course|inside|curriculum|instructor|testimonials|materials|pricing|faq)-title"/g),
  ].map(([, id]) => id);

const arrange = (change: (sections: CopyOf<"sections">["sections"]) => object[]) =>
  write("sections", ({ sections }) => ({ sections: change(sections) }));

const usual = ["sum", "course", "inside", "curriculum", "instructor", "testimonials", "materials", "pricing", "faq"];
const hidden: LandingSection[] = ["topics", "instructor", "testimonials", "questions"];

test("a list that lacks a section or the prices, or has one twice, is refused", async () => {
  expect((await arrange((all) => all.slice(1))).body.errors).toEqual({ sections: ["At least 9"] });
  expect((await arrange((all) => all.map((one) => ({ ...one, isShown: one.id !== "pricing" })))).body.errors).toEqual({
    sections: ["The prices stay on the page"],
  });
  expect((await arrange((all) => [...all.slice(1), ...all.slice(-1)])).body.errors).toEqual({
    sections: ["Two entries have the same id"],
  });
});

test("sections are switched off and moved in a draft, and on the page once it is published", async () => {
  await arrange((all) =>
    all
      .map((one) => ({ ...one, isShown: !hidden.includes(one.id) }))
      .toSorted((one) => (one.id === "pricing" ? -1 : 0)),
  );
  expect(sectionsIn((await get("/")).body)).toEqual(usual);
  const arranged = ["pricing", "sum", "inside", "curriculum", "materials"];
  expect(sectionsIn(await (await admin.send("GET", previewUrl("sections"))).text())).toEqual(arranged);
  expect((await publish(admin)).message).toBe("Published: 1");
  expect(sectionsIn((await get("/")).body)).toEqual(arranged);
});

test("nothing links to a section that is off, and its structured data disappears", async () => {
  for (const path of ["/", "/contact", "/sitemap", "/no/such/page"]) {
    const html = (await get(path)).body;
    const links = [...html.matchAll(/href="\/#([\w-]+)"/g)].map(([, id]) => id);
    expect(new Set(links), path).toEqual(
      new Set(links.filter((id) => ["pricing", "hero", "free-lessons"].includes(id ?? ""))),
    );
  }
  const landing = (await get("/")).body;
  expect(landing).not.toContain("FAQPage");
  expect(landing).not.toContain("Dana Whitlock");
  expect((await academy.visitor().call(getCopy)).body).toMatchObject({ instructor: null });
  const claims = (await admin.call(listClaims)).body.claims.map(({ id }) => id);
  expect(claims).toContain("students");
  for (const id of ["instructor", "testimonial-1"]) expect(claims).not.toContain(id);
});
