import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { catalogue } from "#content/catalogue.ts";
import { builtInCopy } from "#content/copy/copy.ts";
import { plans } from "#content/plans.ts";
import { courseFiles } from "#content/resources.ts";
import { builtInSettings } from "#content/site.ts";
import { getCoachingAdministration, recordLive } from "#contract/admin/coaching.ts";
import { getContent } from "#contract/admin/content.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { copyParts } from "#contract/copy.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";
import { expect, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { expectToast } from "./page.ts";

testAlone(
  "an owner turns the demo into an academy about baking, and nothing of its subject is left in anything that is served",
  async ({ page, browser, baseURL, ownAcademy: academy }) => {
    testAlone.slow();
    const complaints = watchConsole(page);
    await writeSettings(page);
    await expect(page).toHaveTitle("Settings | Crust & Crumb");
    const visitor = await (await browser.newContext({ baseURL })).newPage();
    await visitor.goto("/");
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText(builtInCopy.hero.headline);
    await writeWords(page);
    await writeCourse(page, academy);
    await deleteResources(page);
    await rewriteCoaching(academy);

    await visitor.setViewportSize({ width: 320, height: 640 });
    await visitor.goto("/");
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText(/^Loaf/);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await visitor.context().close();
    complaints.expectEmpty();

    const student = await liveThroughIt(academy);
    const found: string[] = [];
    const inspect = (where: string, text: string) => {
      for (const word of leftIn(text)) found.push(`${where} still says: ${word}`);
    };
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    for await (const [where, text] of everythingServed(academy, { visitor: academy.visitor(), student, admin })) {
      inspect(where, text);
    }
    expect(found).toEqual([]);
  },
);

async function writeSettings(page: Page): Promise<void> {
  await signInAs(page, "admin@academy.test", "/admin/settings");
  for (const [label, text] of [
    ["Name", "Crust & Crumb"],
    ["Support address", "oven@bakery.example"],
    ["Phone", "+44 20 7946 0000"],
    ["Office hours", "Tue-Sat"],
    ["Business hours", "Tue-Sat: 7-3"],
    ["Seller", "Crumb Ltd."],
    ["Seller’s address", "1 Mill Lane\nYork"],
    ["Brand color", "#7a3b12"],
    ["Accent color", "#1a6b3c"],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByLabel("The course invites to a chat of the students.").uncheck();
  const removals = page.getByRole("button", { name: /^Remove (community|site) / });
  while ((await removals.count()) > 0) await removals.last().press("Enter");
  await save(page);
  await publishAll(page);
}

async function writeWords(page: Page): Promise<void> {
  for (const part of copyParts) {
    await page.goto(`/admin/pages?edit=${part}`);
    await rewrite(page.locator("form"));
    await save(page);
  }
  await publishAll(page);
}

async function writeCourse(page: Page, academy: RunningAcademy): Promise<void> {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const { modules, lessons, plans } = (await admin.call(getContent)).body;
  const edits = [
    ...modules.map(({ id }) => `module.${id}`),
    ...lessons.map(({ id }) => `lesson.${id}`),
    ...plans.map(({ id }) => `plan.${id}`),
    "offer",
  ];
  for (const edit of edits) {
    await page.goto(`/admin/content?edit=${edit}`);
    await fillCourseForm(page.locator("form"));
    await save(page);
  }
  await publishAll(page);
}

/** Fills all texts of a course form. Numbers and selects stay, and the video becomes an own one. */
async function fillCourseForm(form: Locator): Promise<void> {
  await expect(form).toBeVisible();
  for (const field of await form.locator("input:not([type]), input[type=text], textarea").all()) {
    const name = await field.getAttribute("name");
    const most = Number((await field.getAttribute("maxlength")) ?? 40);
    if (name === "videoId") await field.fill("youtube:BreadRising");
    else if (name === "captions" || name === "introVideo") await field.fill("");
    else await field.fill(loaf(most));
  }
}

async function deleteResources(page: Page): Promise<void> {
  await page.goto("/admin-upload");
  const deletions = page.getByRole("button", { name: /^Delete / });
  await expect(deletions.first()).toBeVisible();
  for (let left = await deletions.count(); left > 0; left -= 1) {
    await deletions.first().click();
    await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Delete" }).click();
    await expect(deletions).toHaveCount(left - 1);
  }
}

async function rewriteCoaching(academy: RunningAcademy): Promise<void> {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const { live } = (await admin.call(getCoachingAdministration)).body;
  for (const { id, recordingVideoId } of live) {
    if (!recordingVideoId) continue;
    const body = { videoId: "youtube:BreadRising", seconds: 60, reason: "Our own" };
    expect((await admin.call(recordLive, { params: { id }, body })).status).toBe(200);
  }
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByRole("status").filter({ hasText: "As saved." })).toBeVisible();
}

async function publishAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish all" }).click();
  await expectToast(page, "Published");
}

let loaves = 0;
const loaf = (most: number) => {
  loaves += 1;
  return `Loaf ${loaves}, with [salt](https://bakery.example)`.slice(0, most < 60 ? 9 : most);
};

/** Removes as many entries of each list as possible, and writes other text into every field. */
async function rewrite(form: Locator): Promise<void> {
  await expect(form).toBeVisible();
  const removable = form.getByRole("button", { name: /^Remove/ }).and(form.locator(":not([aria-disabled=true])"));
  while ((await removable.count()) > 0) await removable.last().press("Enter");
  const closed = form.locator("li > details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().press("Enter");
  for (const claims of await form.getByRole("checkbox", { name: /^It claims/, checked: true }).all())
    await claims.press(" ");
  for (const drawing of await form.getByRole("combobox", { name: "Drawing" }).all()) await drawing.selectOption("None");
  for (const drawing of await form.getByRole("checkbox", { name: /^A drawing/, checked: true }).all())
    await drawing.press(" ");
  for (const months of await form.locator("input[type=month]").all()) await months.fill("");
  for (const field of await form.locator("input:not([type=month], [type=checkbox]), textarea").all()) {
    await field.fill(loaf(Number((await field.getAttribute("maxlength")) ?? 40)));
  }
}

/** Creates what a student experiences: an account, a purchase, emails. */
async function liveThroughIt(academy: RunningAcademy): Promise<Visitor> {
  await fetch(`${academy.url}/sandbox/api/mails`, { method: "DELETE" });
  const student = await academy.visitor().signUp();
  expect((await student.call(acceptPayment, { body: await student.paymentFor("vip") })).status).toBe(200);
  const message = { name: "Amal K.", email: "amal@example.test", message: "When does the dough rise?" };
  expect((await student.call(sendContactMessage, { body: message })).status).toBe(200);
  await fetch(`${academy.url}/issuer/reset-password/ask`, {
    method: "POST",
    headers: { origin: academy.url },
    body: new URLSearchParams({ email: "basic@academy.test" }),
  });
  // Confirmation, receipt, message, password reset.
  await until(async () => (await academy.mails()).length >= 4);
  return student;
}

interface Readers {
  readonly visitor: Visitor;
  readonly student: Visitor;
  readonly admin: Visitor;
}

/** All replies without parameters, all files that pages load, and all sent emails, each with its source and text. */
async function* everythingServed(academy: RunningAcademy, readers: Readers): AsyncGenerator<[string, string]> {
  const textOf = async (reader: Visitor, path: string) => {
    const answer = await reader.send("GET", path, undefined, { accept: "text/html,*/*" });
    return answer.text();
  };
  const document = await textOf(readers.visitor, "/api/openapi.json");
  yield ["/api/openapi.json", document];
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, unknown>> };
  const answers = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}) && !path.includes("{"));
  const sitemap = await textOf(readers.visitor, "/sitemap.xml");
  const listed = [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, address = ""]) => new URL(address).pathname);
  const lessons = [...new Set(catalogue.flatMap(({ lessons }) => lessons.map(({ id }) => id)))];
  const addresses = [
    ...listed,
    ...answers.filter((path) => !keepsThePast.has(path)),
    ...lessons.flatMap((id) => ["playback", "captions", "video"].map((part) => `/api/lessons/${id}/${part}`)),
    "/sitemap.xml",
    "/robots.txt",
    "/site.webmanifest",
    "/.well-known/security.txt",
    "/nowhere",
    "/dashboard",
    "/course-access",
    "/demo-dashboard",
    "/checkout?plan=vip_lifetime",
    "/membership",
    "/profile",
    "/coaching",
    "/admin",
    "/admin/content",
    "/admin/pages",
    "/admin-upload",
    "/issuer/create-account",
    "/issuer/reset-password/ask",
  ];
  expect(listed.length).toBeGreaterThan(4);
  expect(answers.length).toBeGreaterThan(30);
  for (const [who, reader] of Object.entries(readers)) {
    for (const path of addresses) yield [`${path} to the ${who}`, await textOf(reader, path)];
  }
  // An administrator without access would make the test vacuous.
  for (const path of ["/api/admin/users", "/api/admin/coaching", "/api/resources"]) {
    expect((await readers.admin.send("GET", path)).status, path).toBe(200);
  }
  const social = await readers.visitor.send("GET", "/social.png");
  expect(social.headers.get("location") ?? social.url).toMatch(/\/look\/social-[0-9a-f]{16}\.png$/);

  const client = fileURLToPath(new URL("../../dist/client/", import.meta.url));
  for (const file of await readdir(join(client, "assets"), { recursive: true })) {
    yield [`the name of ${file}`, file];
    if (/\.(js|css|svg|json)$/.test(file))
      yield [`/assets/${file}`, await readFile(join(client, "assets", file), "utf8")];
  }
  for (const { subject, text, html, from } of await academy.mails())
    yield [`the mail “${subject}”`, [from, text, html].join("\n")];
  const [payment] = (await readers.student.call(listPayments)).body;
  const pdf = await readers.student.send("GET", `/api/user/receipts/${payment?.receiptId}/pdf`);
  const receipt = textsOfPdf(Buffer.from(await pdf.arrayBuffer()));
  expect(receipt).toContain("Crust & Crumb");
  yield ["the receipt", receipt];
}

/** These show older versions on purpose. */
const keepsThePast: ReadonlySet<string> = new Set(["/api/admin/audit", "/api/admin/claims", "/api/admin/content"]);

/** Words that no baking teacher uses. */
const subject =
  /\b(retail|arbitrage|resell\w*|clearance|shel(f|ves)|aisles?|flipp(ing|ed|ers?)|amazon|ebay|fba|sourcing|thrift\w*|barcodes?|marketplaces?|seller account|asin|upc|board games?|shipments?|buy sheet|buying list|price tag)\b/gi;

/**
 * The demo's texts, split at their marks. Leaves out short ones and those that are true of any plan, because other
 * texts contain them too.
 */
const demoWords = [
  ...stringsOf([builtInCopy, builtInSettings.communities, builtInSettings.chat, builtInSettings.externalSites]),
  ...stringsOf([catalogue, plans.map(({ description, features }) => [description, features]), courseFiles]),
]
  .flatMap((text) => text.split(/\{\w+(?::\w+)?\}|\n+(?:- )?/))
  .map((piece) => piece.trim())
  .filter((piece) => piece.length > 18 && piece !== "One-time payment, no end date");

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}

function leftIn(served: string): string[] {
  const text = served.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  const ofSubject = [...text.matchAll(subject)].map(({ 0: word, index }) => {
    return `${word} in …${text.slice(Math.max(0, index - 40), index + 40).replaceAll("\n", " ")}…`;
  });
  return [...ofSubject.slice(0, 3), ...demoWords.filter((words) => text.includes(words)).slice(0, 3)];
}
