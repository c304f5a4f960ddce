import type { Page } from "@playwright/test";
import { latest } from "#app/admin/content/items.ts";
import { draftLesson, draftModule, getContent, publishContent } from "#contract/admin/content.ts";
import { reactivateAccount, suspendAccount } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { updateProfile } from "#contract/profile.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { samples, upload } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";
import { become, expect, expectAccessibleInBothSchemes, test, testAlone } from "./academy.ts";
import { watchConsole } from "./console.ts";

const word = "Wholesalerestockingwarehousemanagementinventoryplanningspreadsheetsubscription".padEnd(80, "s");
const address = `https://example.test/${"a-very-long-path-that-nothing-breaks-".repeat(5).replaceAll("-", "")}`;
const email = `${"p".repeat(60)}@${"m".repeat(34)}.test`;

const publicPages = ["/", "/contact", "/sitemap", "/privacy-policy", "/terms-of-service"];
const monthly = "/checkout?tier=basic&priceId=basic_monthly&name=Monthly%20Access&price=49";
const entryPages = [
  "/signup?tier=premium&priceId=premium_annual&price=397",
  "/demo-dashboard",
  "/profile",
  "/invitation",
  monthly,
  "/api/login",
];
const studentPages = [
  "/dashboard",
  "/dashboard?tab=progress",
  "/dashboard?tab=resources",
  "/course-access",
  "/course-access?tab=resources",
  "/course-access?tab=community",
  "/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497",
  "/checkout",
  "/membership",
  "/coaching",
  "/questions",
  "/payment-method",
  "/profile",
  "/invitation",
];
const administratorPages = [
  "/admin",
  "/admin?tab=purchases",
  "/admin?tab=messages",
  "/admin/checklist",
  "/admin/settings",
  "/admin/money",
  "/admin/figures",
  "/admin/reconciliation",
  "/admin/learning",
  "/admin/content",
  "/admin/drafts",
  "/admin/pages",
  "/admin/content?edit=offer",
  "/admin/pages?edit=testimonials",
  "/admin/pages?edit=questions",
  "/admin/claims",
  "/admin/coupons",
  "/admin/webhooks",
  "/admin/announcements",
  "/admin/email-texts",
  "/admin/email-texts?edit=declined",
  "/admin/sequences",
  "/admin/invitations",
  "/admin/imports",
  "/admin/bulk-actions",
  "/admin/team",
  "/admin/announcements?open=new",
  "/admin/coaching",
  "/admin-upload",
  "/admin/audit",
  "/payment-test",
];

// Plain pages are scanned here only. Other tests scan the states that they reach by clicking.

testAlone(
  "pages for visitors and students fit every window, are accessible and log nothing",
  async ({ page, ownAcademy }) => {
    const { student } = await withLongWords(ownAcademy);
    const complaints = watchConsole(page);
    await expectWhole(page, [...publicPages, ...entryPages]);
    await become(page.context(), student);
    await expectWhole(page, studentPages);
    complaints.expectEmpty();
    await expectWhole(page, ["/no/such/page"]);
  },
);

testAlone(
  "pages of the administration fit every window, are accessible and log nothing",
  async ({ page, ownAcademy }) => {
    const { administrator, studentId } = await withLongWords(ownAcademy);
    const complaints = watchConsole(page);
    await become(page.context(), administrator);
    await expectWhole(page, [...administratorPages, `/admin/users/${studentId}`]);
    // Without motion, a change of all colours starts no transition.
    await page.emulateMedia({ colorScheme: "dark" });
    const isMoving = () => document.getAnimations().some((animation) => animation instanceof CSSTransition);
    expect(await page.evaluate(isMoving)).toBe(false);
    complaints.expectEmpty();
  },
);

/** Users, lessons, files, messages and reasons whose names are single endless words. */
async function withLongWords(academy: RunningAcademy) {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  await nameEverything(administrator);
  const student = await academy.visitor().signUp(email);
  await done(student.buy("basic"));
  const profile = {
    firstName: word.slice(0, 60),
    lastName: word.slice(0, 60),
    phone: "",
    location: word,
    bio: address,
  };
  await done(student.call(updateProfile, { body: profile }));
  await done(student.call(sendContactMessage, { body: { name: word, email, message: address, elapsed: 60_000 } }));
  const studentId = await student.id();
  await done(administrator.call(suspendAccount, { body: { userId: studentId, reason: address } }));
  await done(administrator.call(reactivateAccount, { body: { userId: studentId, reason: address } }));
  return { student, administrator, studentId };
}

async function nameEverything(administrator: Visitor): Promise<void> {
  const { modules, lessons } = (await administrator.call(getContent)).body;
  const [module, lesson] = [modules[0], lessons[0]];
  if (!module || !lesson) throw new Error("the academy has no lessons");
  const words = { title: word, description: address };
  await done(administrator.call(draftModule, { params: { id: module.id }, body: { ...latest(module), ...words } }));
  await done(administrator.call(draftLesson, { params: { id: lesson.id }, body: { ...latest(lesson), ...words } }));
  await done(administrator.call(publishContent, { body: {} }));
  await upload(administrator, [{ name: `${word}.pdf`, content: samples.pdf }], words);
}

async function done(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`refused with ${status}: ${JSON.stringify(body)}`);
}

/** Whether text of twice the size fits a phone, too. */
function isWholeOnPhones(path: string): boolean {
  return /^\/(signup|contact|profile|membership|coaching|invitation)/.test(path);
}

async function expectTabsToFit(page: Page, path: string): Promise<void> {
  const cut = await page
    .getByRole("tablist")
    .evaluateAll(([list]) => list !== undefined && list.scrollWidth > list.clientWidth);
  expect.soft(cut, `tabs of ${path} are cut`).toBe(false);
}

async function expectWhole(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize({ width: 320, height: 640 });
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    // Parts below the screen load when they are reached.
    await expect(async () => {
      await page.evaluate(() => document.querySelector(".skeleton")?.scrollIntoView());
      await expect(page.locator(".skeleton")).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    await page.evaluate(() => window.scrollTo(0, 0));
    await renderEverything(page);
    await test.step(`axe on ${path}`, () => expectAccessibleInBothSchemes(page));
    await expectTabsToFit(page, path);
    expect.soft(await whatSticksOut(page), `${path} at 320 pixels`).toEqual([]);
    expect.soft(await brokenWords(page), `${path} at 320 pixels`).toEqual([]);
    await resize(page, 1440, 900);
    expect.soft(await whatSticksOut(page), `${path} at 1440 pixels`).toEqual([]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    for (const width of isWholeOnPhones(path) ? [768, 390, 320] : [768]) {
      await resize(page, width, 900);
      expect.soft(await whatSticksOut(page), `${path} at ${width} pixels with text of twice the size`).toEqual([]);
      if (width < 768)
        expect.soft(await brokenWords(page), `${path} at ${width} pixels with text of twice the size`).toEqual([]);
    }
  }
}

/**
 * Opens a page within the application's document if both belong to it, which takes half of the processor time: a new
 * document loads its scripts, and axe, again. The application itself loads other documents where it has to.
 */
async function open(page: Page, path: string): Promise<void> {
  const isInApplication = await page.evaluate((path) => {
    if (!document.querySelector("html[data-live] #root")) return false;
    document.documentElement.style.fontSize = "";
    const isOther = new URL(path, location.href).pathname !== location.pathname;
    if (isOther) document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
    return true;
  }, path);
  if (!isInApplication) await page.goto(path);
  await expect(page.locator("h1[data-left]")).toHaveCount(0);
}

/** Resizes the window. A busy browser applies media queries later than it tells the new width. */
async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(async (width) => {
    const frame = () => new Promise(requestAnimationFrame);
    while (!matchMedia(`(width: ${width}px)`).matches) await frame();
    await frame();
    await frame();
  }, width);
}

/** Browsers leave out parts that are out of sight, and keep their size from before, which misleads axe. */
function renderEverything(page: Page): Promise<void> {
  return page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { content-visibility: visible !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** The elements that overflow the window or their own box and cannot be scrolled to. */
function whatSticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.localName}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 40)}"`;
    const known = new Map<Element, boolean>();
    const scrolls = (element: Element) => {
      const answer = known.get(element) ?? /auto|scroll/.test(getComputedStyle(element).overflowX);
      known.set(element, answer);
      return answer;
    };
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
    for (const element of document.body.querySelectorAll("*")) {
      const { right, width } = element.getBoundingClientRect();
      const isOutside = width > 1 && right > innerWidth + 1;
      const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
      // Almost all elements end here, without their style.
      if (!isOutside && !isCut) continue;
      if (element.closest("svg, .sr-only") || !element.checkVisibility({ visibilityProperty: true })) continue;
      let box: Element | null = element;
      while (box && box !== document.body && !scrolls(box)) box = box.parentElement;
      if (box === document.body && isOutside) found.push(nameOf(element));
      const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      const isShortened = getComputedStyle(element).textOverflow === "ellipsis";
      if (isText && isCut && !isShortened && !scrolls(element)) found.push(nameOf(element));
    }
    return [...new Set(found)];
  });
}

/** Short words, prices and ranges such as 1-5 that break across lines. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.checkVisibility() || node.parentElement.closest(".sr-only, svg, option")) continue;
      const lines = () => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      range.selectNodeContents(node);
      if (lines() < 2) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(
        /(?<!\S)(?:[\w$.,]{2,16}|\d+-\d+[.,:]?)(?!\S)/g,
      )) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (lines() > 1) found.push(word);
      }
    }
    return found;
  });
}
