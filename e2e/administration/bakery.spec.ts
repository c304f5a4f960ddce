import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { latest } from "#app/admin/content/items.ts";
import { catalogue } from "#content/catalogue.ts";
import { builtInCopy } from "#content/copy/copy.ts";
import { builtInPlanNames, plans } from "#content/plans.ts";
import { courseFiles } from "#content/resources.ts";
import { builtInSettings } from "#content/site.ts";
import { exportedLists } from "#contract/admin/admin.ts";
import { getCoachingAdministration, recordLive } from "#contract/admin/coaching.ts";
import {
  draftLesson,
  draftModule,
  draftOffer,
  draftPlan,
  getContent,
  publishContent,
} from "#contract/admin/content.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { copyParts } from "#contract/copy.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { deleteResource, listResources } from "#contract/resources.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { exportList } from "#test/export-list.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";
import { expect, signInAs, testAlone } from "../academy.ts";
import { watchConsole } from "../console.ts";
import { publishAll, saveDraft } from "./page.ts";

testAlone(
  "an owner turns the demo into an academy about baking, and nothing served tells its old subject",
  async ({ page, ownAcademy: academy }) => {
    testAlone.slow();
    const complaints = watchConsole(page);
    await writeSettings(page);
    await expect(page).toHaveTitle("Drafts | Crust & Crumb");
    const landing = await page.context().newPage();
    await landing.goto("/");
    await expect(landing.getByRole("heading", { level: 1 })).toHaveText(builtInCopy.hero.headline);
    await writeWords(page);
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    await writeCourse(admin);
    await deleteResources(admin);
    await rewriteCoaching(admin);

    await landing.setViewportSize({ width: 320, height: 640 });
    await landing.goto("/");
    await expect(landing.getByRole("heading", { level: 1 })).toHaveText(/^Loaf/);
    await expect(landing.getByRole("button", { name: "Get Baker for Life" })).toBeVisible();
    expect(await landing.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    complaints.expectEmpty();

    const student = await liveThroughIt(academy);
    const found: string[] = [];
    const inspect = (where: string, text: string) => {
      for (const word of leftIn(text)) found.push(`${where} still says: ${word}`);
    };
    for await (const [where, text] of everythingServed(academy, { visitor: academy.visitor(), student, admin })) {
      inspect(where, text);
    }
    expect(found).toEqual([]);
  },
);

async function writeSettings(page: Page): Promise<void> {
  await signInAs(page, "admin@academy.test", "/admin/settings");
  for (const [tab, label, text] of [
    ["General", "Name", "Crust & Crumb"],
    ["Support", "Support address", "oven@bakery.example"],
    ["Support", "Phone", "+44 20 7946 0000"],
    ["Support", "Office hours", "Tue-Sat"],
    ["Support", "Business hours", "Tue-Sat: 7-3"],
    ["Emails and receipts", "Seller", "Crumb Ltd."],
    ["Emails and receipts", "Seller’s address", "1 Mill Lane\nYork"],
    ["Look", "Brand color", "#7a3b12"],
    ["Look", "Accent color", "#1a6b3c"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByRole("tab", { name: "Communities" }).click();
  await page.getByLabel("Invite students to a chat").uncheck();
  const removals = page
    .getByRole("group", { name: /^(Communities|Sites that)/ })
    .getByRole("listitem")
    .getByRole("button", { name: /^Remove/ });
  while ((await removals.count()) > 0) await removals.last().press("Enter");
  await saveDraft(page);
  await publishAll(page);
}

async function writeWords(page: Page): Promise<void> {
  await page.goto("/admin/pages");
  const links = page.getByRole("navigation", { name: "Parts of the pages" }).getByRole("link");
  await expect(links).toHaveCount(copyParts.length);
  const parts = links.filter({ hasNotText: /^Sections$/ });
  for (const part of await parts.all()) {
    await part.click();
    await expect(part).toHaveAttribute("aria-current", "true");
    await rewrite(page.locator("form"));
    await saveDraft(page);
  }
  await publishAll(page);
}

async function writeCourse(admin: Visitor): Promise<void> {
  const { modules, lessons, plans, offer } = (await admin.call(getContent)).body;
  const words = () => ({ title: loaf(120), description: loaf(1000) });
  for (const module of modules) {
    const body = { ...latest(module), ...words(), introVideo: null };
    await done(admin.call(draftModule, { params: { id: module.id }, body }));
  }
  for (const lesson of lessons) {
    const body = { ...latest(lesson), ...words(), videoId: "youtube:BreadRising", captions: null };
    await done(admin.call(draftLesson, { params: { id: lesson.id }, body }));
  }
  for (const plan of plans) {
    // The labels of the buttons stay, and follow the names.
    const texts = { name: bakersNames[plan.tier], description: loaf(500), features: [loaf(160)] };
    await done(admin.call(draftPlan, { params: { id: plan.id }, body: { ...latest(plan), ...texts } }));
  }
  const texts = { discountClaim: loaf(40), headline: loaf(80), countdownLabel: loaf(80), badges: {} };
  await done(admin.call(draftOffer, { body: { ...latest(offer), ...texts } }));
  // Its service says that it is not there.
  const despite = lessons.map(({ id }) => id);
  const changes = Object.fromEntries(despite.map((id) => [id, null]));
  await done(admin.call(publishContent, { body: { despite, changes } }));
}

const bakersNames = { basic: "Baker for a Month", premium: "Baker for a Year", vip: "Baker for Life" };

async function deleteResources(admin: Visitor): Promise<void> {
  for (const { id } of (await admin.call(listResources)).body)
    await done(admin.call(deleteResource, { params: { id } }));
}

async function done(answer: Promise<{ status: number }>): Promise<void> {
  expect((await answer).status).toBe(200);
}

async function rewriteCoaching(admin: Visitor): Promise<void> {
  const { live } = (await admin.call(getCoachingAdministration)).body;
  for (const { id, recordingVideoId } of live) {
    if (!recordingVideoId) continue;
    const body = { videoId: "youtube:BreadRising", seconds: 60, reason: "Our own" };
    await done(admin.call(recordLive, { params: { id }, body }));
  }
}

let loaves = 0;
const loaf = (most: number) => {
  loaves += 1;
  return `Loaf ${loaves}, with [salt](https://bakery.example)`.slice(0, most < 60 ? 9 : most);
};

/** Removes as many entries of each list as possible, and writes other text into every field. */
async function rewrite(form: Locator): Promise<void> {
  await expect(form).toBeVisible();
  // In the page, because pressing hundreds of buttons takes a minute.
  await form.evaluate(async (element) => {
    const last = () =>
      [...element.querySelectorAll<HTMLElement>("button[aria-label^=Remove]:not([aria-disabled=true])")].at(-1);
    for (let button = last(); button; button = last()) {
      button.click();
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  const closed = form.locator("li > details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().press("Enter");
  for (const claims of await form.getByRole("checkbox", { name: /^Contains a claim/, checked: true }).all())
    await claims.press(" ");
  for (const drawing of await form.getByRole("combobox", { name: "Drawing" }).all()) await drawing.selectOption("None");
  for (const drawing of await form.getByRole("checkbox", { name: /^A drawing/, checked: true }).all())
    await drawing.press(" ");
  for (const months of await form.locator("input[type=month]").all()) await months.fill("");
  const fields = form.locator("input:not([type=month], [type=checkbox], [type=file]), textarea");
  const texts = (await fields.all()).map(() => loaf(1000));
  // At once, because typing into hundreds of fields takes a minute.
  await fields.evaluateAll((elements, texts) => {
    for (const [at, field] of (elements as HTMLInputElement[]).entries()) {
      const text = texts[at]?.slice(0, field.maxLength < 60 ? 9 : field.maxLength);
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, texts);
}

/** Creates what a student experiences: an account, a purchase, emails. */
async function liveThroughIt(academy: RunningAcademy): Promise<Visitor> {
  await fetch(`${academy.url}/sandbox/api/mails`, { method: "DELETE" });
  const student = await academy.visitor().signUpAtIssuer();
  await done(student.buy("vip"));
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
  const readBy = async (reader: Visitor, path: string) => {
    const answer = await reader.send("GET", path, undefined, { accept: "text/html,*/*" });
    return answer.text();
  };
  const document = await readBy(readers.visitor, "/api/openapi.json");
  yield ["/api/openapi.json", document];
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, unknown>> };
  const answers = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}) && !path.includes("{"));
  const sitemap = await readBy(readers.visitor, "/sitemap.xml");
  const listed = [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, address = ""]) => new URL(address).pathname);
  const lessons = [...new Set(catalogue.flatMap(({ lessons }) => lessons.map(({ id }) => id)))];
  // An administrator reads all lists and lessons, which others are refused.
  const ofAdministrators = [
    ...answers.filter((path) => path.startsWith("/api/admin/") && !keepsThePast.has(path)),
    ...lessons.flatMap((id) => ["playback", "captions", "video"].map((part) => `/api/lessons/${id}/${part}`)),
    "/admin",
    "/admin/content",
    "/admin/pages",
    "/admin-upload",
  ];
  const ofAll = [
    ...listed,
    ...answers.filter((path) => !path.startsWith("/api/admin/")),
    "/nowhere",
    "/dashboard",
    "/course-access",
    "/demo-dashboard",
    "/checkout?plan=vip_lifetime",
    "/membership",
    "/profile",
    "/coaching",
    "/invitation",
    "/payment-method",
  ];
  const ofVisitors = [
    "/sitemap.xml",
    "/robots.txt",
    "/site.webmanifest",
    "/.well-known/security.txt",
    "/issuer/create-account",
    "/issuer/reset-password/ask",
    "/unsubscribe/none",
    "/certificates/none",
    "/sandbox",
  ];
  expect(listed.length).toBeGreaterThan(4);
  expect(answers.length).toBeGreaterThan(30);
  const addresses = {
    visitor: [...ofAll, ...ofVisitors],
    student: ofAll,
    admin: [...ofAdministrators, ...ofAll.filter((path) => path.startsWith("/api/"))],
  };
  for (const [who, reader] of Object.entries(readers) as [keyof Readers, Visitor][]) {
    for (const path of addresses[who]) {
      const text = await readBy(reader, path);
      yield [`${path} to the ${who}`, keepsWhatWasSold.has(path) ? withoutSold(text) : text];
    }
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
  const withoutPast = exportedLists.filter((list) => list !== "audit" && list !== "purchases");
  for (const list of withoutPast) yield [`the export of ${list}`, await (await exportList(readers.admin, list)).text()];
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

/** Lists of what was sold, which keeps the name of its day. */
const keepsWhatWasSold: ReadonlySet<string> = new Set(["/api/admin/purchases", "/api/user/purchases"]);

function withoutSold(text: string): string {
  return text.replaceAll(/"planName":"[^"]*"/g, "");
}

const planNames = new RegExp(`\\b(${Object.values(builtInPlanNames).join("|")})\\b`, "g");

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
  .filter((piece) => piece.length > 18);

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}

function leftIn(served: string): string[] {
  const text = served.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  const ofSubject = [...text.matchAll(subject)].map(({ 0: word, index }) => {
    return `${word} in …${text.slice(Math.max(0, index - 40), index + 40).replaceAll("\n", " ")}…`;
  });
  const ofPlans = [...text.matchAll(planNames)].map(({ index }) => text.slice(Math.max(0, index - 40), index + 40));
  return [
    ...ofSubject.slice(0, 3),
    ...ofPlans.slice(0, 3),
    ...demoWords.filter((words) => text.includes(words)).slice(0, 3),
  ];
}
