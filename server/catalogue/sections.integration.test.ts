import { expect } from "vitest";
import { listClaims } from "#contract/admin/claims.ts";
import { draftCopy, getContent, previewUrl, publishContent } from "#contract/admin/content.ts";
import type { CopyOf, LandingSection } from "#contract/copy.ts";
import { getCopy } from "#contract/copy.ts";
import { academyOfFile } from "#test/fixtures.ts";

// The tests follow one another: an administrator arranges the landing page.

const { academy, administrator: admin, test } = await academyOfFile();

const textOf = async (path: string) => (await academy.inject({ url: academy.url + path })).body;
const sectionsIn = (html: string) =>
  [
    ...html.matchAll(/<h2 id="(sum|course|inside|curriculum|instructor|testimonials|materials|pricing|faq)-title"/g),
  ].map(([, id]) => id);

async function saved() {
  const found = (await admin.call(getContent)).body.copy.find(({ id }) => id === "sections");
  if (!found) throw new Error("there are no sections");
  return { ...((found.draft ?? found.published) as CopyOf<"sections">), version: found.version };
}

async function draft(change: (sections: CopyOf<"sections">["sections"]) => object[]) {
  const { sections, version } = await saved();
  return admin.call(draftCopy, { query: { version }, body: { part: "sections", sections: change(sections) } });
}

const usual = ["sum", "course", "inside", "curriculum", "instructor", "testimonials", "materials", "pricing", "faq"];
const hidden: LandingSection[] = ["topics", "instructor", "testimonials", "questions"];

test("a list that lacks a section or the prices, or has one twice, is refused", async () => {
  expect((await draft((all) => all.slice(1))).body.errors).toEqual({ sections: ["At least 9"] });
  expect((await draft((all) => all.map((one) => ({ ...one, isShown: one.id !== "pricing" })))).body.errors).toEqual({
    sections: ["The prices stay on the page"],
  });
  expect((await draft((all) => [...all.slice(1), ...all.slice(-1)])).body.errors).toEqual({
    sections: ["Two entries have the same id"],
  });
});

test("sections are switched off and moved in a draft, which is published alone", async () => {
  await draft((all) =>
    all
      .map((one) => ({ ...one, isShown: !hidden.includes(one.id) }))
      .toSorted((one) => (one.id === "pricing" ? -1 : 0)),
  );
  expect(sectionsIn(await textOf("/"))).toEqual(usual);
  const arranged = ["pricing", "sum", "inside", "curriculum", "materials"];
  expect(sectionsIn(await (await admin.send("GET", previewUrl("sections"))).text())).toEqual(arranged);
  const only = [{ kind: "copy" as const, id: "sections" }];
  expect((await admin.call(publishContent, { body: { only } })).body.message).toBe("Published: 1");
  expect(sectionsIn(await textOf("/"))).toEqual(arranged);
});

test("nothing links to a section that is off, and its structured data disappears", async () => {
  for (const path of ["/", "/contact", "/sitemap", "/no/such/page"]) {
    const html = await textOf(path);
    const links = [...html.matchAll(/href="\/#([\w-]+)"/g)].map(([, id]) => id);
    expect(new Set(links), path).toEqual(
      new Set(links.filter((id) => ["pricing", "hero", "free-lessons"].includes(id ?? ""))),
    );
  }
  const landing = await textOf("/");
  expect(landing).not.toContain("FAQPage");
  expect(landing).not.toContain("Dana Whitlock");
  expect((await academy.visitor().call(getCopy)).body).toMatchObject({ instructor: null });
  const claims = (await admin.call(listClaims)).body.claims.map(({ id }) => id);
  expect(claims).toContain("students");
  for (const id of ["instructor", "testimonial-1"]) expect(claims).not.toContain(id);
});
