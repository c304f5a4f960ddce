import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { getChecklist } from "#contract/admin/checklist.ts";
import { listClaims, withdrawClaims } from "#contract/admin/claims.ts";
import { draftCopy, getContent, previewUrl, reviewLegalText } from "#contract/admin/content.ts";
import type { CopyOf, CopyPart } from "#contract/copy.ts";
import { changeCopy, publish, savedCopy } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";

// The tests follow one another: an administrator changes the words of an academy. That every node shows what is
// published is proved by `settings.integration.test.ts`: words are in the same table, and pages read both at once.

const { academy, administrator: admin, test } = await academyOfFile();

const textOf = async (path: string) => (await fetch(academy.url + path)).text();

const saved = <Part extends CopyPart>(part: Part) => savedCopy(admin, part);
const write = <Part extends CopyPart>(part: Part, changes: Partial<CopyOf<Part>>) =>
  changeCopy(admin, part, () => changes);

interface Graph {
  "@graph": { "@type": string; [name: string]: unknown }[];
}

async function readStructuredData() {
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await textOf("/")) ?? [];
  const graph = (JSON.parse(data) as Graph)["@graph"];
  return (type: string) => graph.find((one) => one["@type"] === type);
}

const hostile = `</script><img src=x onerror=alert(1)> & "quotes" {academy}`;

test("invalid copy is refused with its field [H11]", async () => {
  const { copy, version } = await saved("questions");
  const [entry] = copy.questions;
  const refused = async (questions: object[]) =>
    (await admin.call(draftCopy, { query: { version }, body: { ...copy, questions } })).body.errors;
  expect(await refused([{ ...entry, question: " " }])).toEqual({ "questions.0.question": ["Required"] });
  expect(await refused([{ ...entry, answer: "[a](javascript:alert`1`)" }])).toEqual({
    "questions.0.answer": ["Links begin with https://, http://, mailto:, tel:, / or #"],
  });
  expect(await refused([])).toEqual({ questions: ["At least one"] });
  expect(await refused([entry, entry].map((one) => ({ ...one })))).toEqual({
    questions: ["Two entries have the same id"],
  });
  const many = Array.from({ length: 31 }, (_, at) => ({ ...entry, id: `q-${at}` }));
  expect(await refused(many)).toEqual({ questions: ["At most 30"] });
  expect(await refused([{ ...entry, answer: "x".repeat(1501) }])).toEqual({
    "questions.0.answer": ["Use 1500 characters or fewer"],
  });
});

test("a draft shows in the preview of administrators alone, until it is published [H11]", async () => {
  await write("hero", { headline: "Knead to know", headlineTag: null, eyebrow: "Baking, from the flour up" });
  const { copy } = await saved("questions");
  const question = {
    id: "new-1",
    question: "Größe of the oven?",
    answer: `${hostile}\n\n- [Ask](/contact)`,
    claim: null,
  };
  await write("questions", { questions: [question, ...copy.questions.slice(0, 1)] });
  await write("terms", {
    sections: [{ id: "new-1", title: "Contact", text: `${hostile}\n\nWrite to {email}.`, privacyChoices: false }],
  });

  expect(await textOf("/")).not.toContain("Knead to know");
  const preview = await admin.send("GET", previewUrl("hero"));
  expect(preview.headers.get("cache-control")).toBe("no-store");
  expect(preview.headers.get("content-security-policy")).toContain("script-src 'self' 'sha256-");
  const previewed = await preview.text();
  for (const part of ["Knead to know", "This is a preview of your draft"]) expect(previewed).toContain(part);

  expect((await publish(admin)).message).toBe("Published: 3");
  const landing = await textOf("/");
  expect(landing).toContain("<title>Academy | Baking, from the flour up</title>");
  expect(landing).toContain("Knead to know");
  expect(landing).toContain('id="faq-grosse-of-the-oven"');
  const terms = await textOf("/terms-of-service");
  expect(terms).toContain('<section id="contact-2"');
  expect(terms).toContain("mailto:support@academy.test");
  const today = new Date(await academy.now());
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(today);
  expect(terms.replaceAll("<!-- -->", "")).toContain(`Last updated ${day}`);
  expect((await textOf("/privacy-policy")).replaceAll("<!-- -->", "")).toContain("Last updated July 19, 2025");
  for (const html of [landing, terms]) expect(html).not.toContain("<img src=x");
  expect(landing).toContain("&lt;img src=x onerror=alert(1)&gt; &amp; ");
  const data = await readStructuredData();
  expect(data("FAQPage")?.mainEntity).toMatchObject([
    { name: question.question, acceptedAnswer: { text: `${hostile.replace("{academy}", "Academy")} Ask` } },
    { name: "Do I need to have sold anything before?" },
  ]);
  expect(data("Course")).toMatchObject({ name: "Baking, from the flour up" });
});

test("owners remove drawings of the demo's subject from the pages, and numbers stand in their place", async () => {
  const drawn = /viewBox="0 0 (320 190|400 124|420 340)"/g;
  const drawingsOn = async () => [...(await textOf("/")).matchAll(drawn)].length;
  expect(await drawingsOn()).toBeGreaterThan(6);
  const { topics } = (await saved("topics")).copy;
  await write("topics", { topics: topics.map((topic) => ({ ...topic, picture: null })) });
  await write("hero", { hasPicture: false });
  await write("materials", { hasPicture: false });
  await publish(admin);
  expect(await drawingsOn()).toBe(0);
});

test("new and reworded reviews are claims that can be taken off, and what is off stays off", async () => {
  const { copy } = await saved("testimonials");
  const [one, two] = copy.testimonials;
  const mine = { id: "new-1", name: "Amal K.", detail: "Baker", quote: "My first loaf rose.", picture: null };
  await write("testimonials", { testimonials: [mine, ...[one, two].flatMap((entry) => entry ?? [])] });
  await publish(admin);
  const claims = (await admin.call(listClaims)).body.claims;
  const added = claims.find(({ text }) => text.includes("My first loaf rose."));
  expect(added).toMatchObject({ state: "unproved", withdrawnAt: null });
  expect(claims.some(({ id }) => id === "testimonial-3")).toBe(false);
  expect(await textOf("/")).toContain("Amal K.");

  await admin.call(withdrawClaims, { body: { only: [added?.id ?? "", "testimonial-2"] } });
  const now = (await saved("testimonials")).copy;
  const reworded = now.testimonials.map((entry) => ({ ...entry, quote: `${entry.quote} Truly.` })).reverse();
  await write("testimonials", { testimonials: [...reworded, mine] });
  await publish(admin);
  const landing = await textOf("/");
  // The one that was added anew is another one.
  expect(landing.split("My first loaf rose.").length).toBe(2);
  expect(landing).not.toContain("My first loaf rose. Truly.");
  expect(landing).not.toContain("Gordon T.");
  expect(landing).toContain("explain in one line. Truly.");
  expect(await textOf("/sitemap")).toContain("Two reviews");
});

test("our data judge built-in claims only", async () => {
  const { copy } = await saved("hero");
  await write("hero", { trust: copy.trust.map((item) => ({ ...item, value: "1", label: "oven" })) });
  await publish(admin);
  const students = (await admin.call(listClaims)).body.claims.find(({ id }) => id === "students");
  expect(students).toMatchObject({ text: "1 oven", state: "unproved" });
});

test("the audit log has each entry that changed, and the checklist the days of the legal texts", async () => {
  const log = (await admin.call(listAudit, { query: { subject: "terms" } })).body.rows;
  expect(log).toMatchObject([
    { action: "publish copy", subjectKind: "copy" },
    { action: "draft copy", subjectKind: "copy" },
  ]);
  expect(log[0]?.after).toMatchObject({
    "order of sections": ["contact-2"],
    "sections, contact-2": { title: "Contact" },
    "sections, refunds": null,
  });
  const policies = async () => (await admin.call(getChecklist)).body.checks.find(({ id }) => id === "policies");
  expect(await policies()).toMatchObject({ state: "todo", detail: expect.stringContaining("Privacy Policy") });
  const review = async (part: "terms" | "privacy", version?: string) => {
    const { copy } = (await admin.call(getContent)).body;
    const read = version ?? copy.find(({ id }) => id === part)?.publishedVersion;
    return admin.call(reviewLegalText, { params: { part }, query: { version: read ?? "" }, body: {} });
  };
  expect(await review("privacy", "another")).toMatchObject({
    status: 409,
    body: { message: "Another text was published since you opened this. Read it again." },
  });
  expect(await policies()).toMatchObject({ state: "todo" });
  const reviewed = (await review("privacy")).body.copy.find(({ id }) => id === "privacy");
  expect(reviewed).toMatchObject({ draft: null, reviewedAt: expect.any(String) });
  expect(await policies()).toMatchObject({
    state: "done",
    detail: expect.stringMatching(/Terms of Service: published .* Privacy Policy: reviewed on /),
  });
  // What was read again keeps the day on which it was written.
  expect((await textOf("/privacy-policy")).replaceAll("<!-- -->", "")).toContain("Last updated July 19, 2025");
  await write("privacy", { inShort: [] });
  await publish(admin);
  expect(await policies()).toMatchObject({ state: "done" });
  const aYearEarlier = "update settings set updated_at = updated_at - interval '366 days' where name = any($1)";
  await academy.pool.query(aYearEarlier, [["copy:terms", "copy:privacy", "reviewed:terms", "reviewed:privacy"]]);
  expect(await policies()).toMatchObject({ state: "todo", detail: expect.stringContaining("more than a year") });
  for (const part of ["terms", "privacy"] as const) expect((await review(part)).status).toBe(200);
  expect(await policies()).toMatchObject({ state: "done" });
  expect((await admin.call(listAudit, { query: { subject: "privacy" } })).body.rows[0]).toMatchObject({
    action: "review copy",
  });
});
